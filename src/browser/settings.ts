import type { DescribedForm } from '../compiler/describe/describe-form.js';
import type { FormDescription } from '../compiler/description.js';
import type { ParameterError } from '../compiler/execute/parameter-error.js';
import type { Synthesis } from '../compiler/tool.js';
import type { Tree } from '../compiler/tree.js';
import type { HostedTool, ToolAnnotations, ToolCall } from '../webmcp.js';
import type { CustomControls } from './dom/custom-controls.js';
import type { Global } from './dom/dom-tree.js';
import type { FindEditor } from './editors/editor.js';
import type { EndCode } from './execution/call-error.js';
import type { OfferedValues } from './forms/offered-values.js';
import type { RegisterFormsOptions } from './options.js';
import type { ExpectedSubmit } from './submission/submit-event.js';
import type { Widgets } from './widgets/widgets.js';

/** The part of a live form that calls use. */
export interface ToolForm {
  readonly element: Element;
  readonly settings: Settings;
  /** Undefined while the tool's name is invalid. */
  readonly tool: HostedTool | undefined;
  /** The name under which the tool is registered. */
  readonly registered: string | undefined;
  readonly offered: OfferedValues;
  describe(): DescribedForm<Element>;
}

/** The part of a running call that a response mode uses. */
export interface SubmittedCall {
  readonly form: ToolForm;
  readonly call: ToolCall;
  /** Aborts with the reason that ends the call. */
  readonly signal: AbortSignal;
  /** Undefined until the form is filled. */
  readonly filled: SubmittedValues | undefined;
}

export interface Note {
  readonly parameter: string;
  readonly message: string;
}

/** The parameters whose submitted values differ from the values that were filled. */
export interface Differences {
  /** The page has replaced or removed the value. */
  readonly lost: readonly ParameterError[];
  /** The page has changed the form of the value. */
  readonly notes: readonly Note[];
}

/** The values of a call, to be compared with the entry list that the form submits. */
export interface SubmittedValues {
  /** Reads the form again: until the submission, users may change the values. */
  readAgain(): void;
  /** @param isSent - whether the entry list has already left the page */
  compare(data: FormData, isSent: boolean): Differences;
  /** Removes the values of secret parameters from a text of the page. */
  redact(text: string): string;
}

export interface ResponseMode {
  /** Runs before the page's submit listeners. */
  beforeSubmit(call: SubmittedCall, event: SubmitEvent, submit: ExpectedSubmit): void;
  /** Runs when the browser is about to navigate. The notes become a part of the result. */
  afterSubmit(call: SubmittedCall, submit: ExpectedSubmit, notes: readonly Note[]): Promise<string | null> | undefined;
  /** The validation messages of a part of the page. */
  errorsOf(place: Element | undefined): readonly Note[];
}

/** The settings of the forms of a root. Those of calls are added when the part that runs calls has been loaded. */
export interface Settings extends Partial<CallSettings> {
  readonly synthesis: Synthesis;
  readonly tree: Tree<Node, Element>;
  readonly annotations?: ToolAnnotations | undefined;
  /** Patches a window before its forms are read; `onChange` receives the elements whose schema may have changed. */
  readonly patchWindow?: (window: Global, onChange: (element: Element) => void, signal?: AbortSignal) => void;
  readonly diagnose?: (description: FormDescription, form: Element) => void;
  /** Runs when another tool has the name of a form's tool. */
  readonly onNameTaken?: (name: string, form: Element) => void;
}

export interface CallSettings {
  /** The time limit for the user to submit, in milliseconds. */
  readonly awaitUser: number | undefined;
  readonly optionsTimeoutMs: number;
  /** The time limit for the response to the previous call of the form. */
  readonly busyTimeoutMs: number;
  readonly nextPageTimeoutMs: number;
  /** The time limit for a page to show the result of a form that its own script sends. */
  readonly scriptTimeoutMs: number;
  readonly custom: CustomControls;
  readonly widgets: Widgets;
  /** The first editor that one of them finds for a control is used. */
  readonly editors: readonly FindEditor[];
  readonly responseMode: ResponseMode;
}

/** The calls of one form. */
export interface FormCalls {
  /** @param registered - the name under which the tool was called */
  run(input: object, call: ToolCall, registered: string | undefined): Promise<string | null>;
  end(code: EndCode): void;
  /** Notes that the tool is called, because a call may wait for a submit listener that makes it. */
  noteCall(): void;
}

/** The part of the script that runs the tools of forms. It is loaded at the first call. */
export interface CallsPart {
  readonly callsOf: (form: ToolForm) => FormCalls;
  readonly callSettings: (options: RegisterFormsOptions) => Partial<CallSettings>;
  /** Answers the call that submitted a form to this page, if any. */
  readonly answerPreviousPage: (document: Document) => void;
  /** Passes the values that the browser fills to editors. */
  readonly updateEditors: (document: Document, settings: Settings, signal: AbortSignal | undefined) => void;
}
