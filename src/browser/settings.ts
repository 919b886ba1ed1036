import type { DescribedForm } from '../compiler/describe/describe-form.js';
import type { FormDescription } from '../compiler/description.js';
import type { ParameterError } from '../compiler/input/parameter-error.js';
import type { Synthesis } from '../compiler/tool.js';
import type { Tree } from '../compiler/tree.js';
import type { HostedTool, ToolAnnotations } from '../webmcp.js';
import type { FindEditor } from './adapters/editors/editor.js';
import type { OptionHistory } from './forms/option-history.js';

/** The part of a live form that calls use. */
export interface ToolForm {
  readonly element: Element;
  readonly settings: Settings;
  /** Undefined while the tool's name is invalid. */
  readonly tool: HostedTool | undefined;
  /** The name under which the tool is registered. */
  readonly registered: string | undefined;
  readonly offered: OptionHistory;
  describe(): DescribedForm<Element>;
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
  /** The names of all fields and their values. */
  entries(): readonly (readonly [name: string, value: string])[];
  /** @param isSent - whether the entry list has already left the page */
  compare(data: FormData, isSent: boolean): Differences;
  /** Removes the values of secret parameters from a text of the page. */
  redact(text: string): string;
}

/** The settings of the forms of a root. */
export interface Settings {
  readonly synthesis: Synthesis;
  readonly tree: Tree<Node, Element>;
  readonly annotations?: ToolAnnotations | undefined;
  /** The other origins to which forms are submitted without the user. */
  readonly autosubmitOrigins: readonly string[];
  /** The first editor that one of them finds for a control is used. */
  readonly editors: readonly FindEditor[];
  readonly diagnose?: (description: FormDescription, form: Element) => void;
  /**
   * Runs when another tool has the name of a form's tool.
   *
   * @param other - a different form of this name: then neither is a tool
   */
  readonly onNameTaken?: (name: string, form: Element, other?: Element) => void;
  /** The time limit for the user to submit, in milliseconds. */
  readonly awaitUser?: number | undefined;
  readonly optionsTimeoutMs?: number;
  /** The time limit for the response to the previous call of the form. */
  readonly busyTimeoutMs?: number;
  readonly nextPageTimeoutMs?: number;
  /** The time limit for a page to show the result of a form that its own script sends. */
  readonly scriptTimeoutMs?: number;
}
