import type { FormDescription } from '../compiler/description.js';
import type { Synthesis } from '../compiler/tool.js';
import type { Tree } from '../compiler/tree.js';
import type { JsonValue } from '../json-schema.js';
import type { ToolAnnotations } from '../webmcp.js';
import type { Run } from './execution/calls.js';
import type { ExpectedSubmit, Global } from './submission/submit-event.js';

/** What a form-associated custom element holds. */
export interface CustomState {
  readonly kind: 'custom';
  readonly value?: unknown;
  readonly checked?: unknown;
}

/** How the value of a form-associated custom element is read and set. */
export interface CustomControls {
  has(control: Element, value: JsonValue): boolean;
  set(control: Element, value: JsonValue): void;
  /** Undefined for an element of the browser's own, and for one that cannot be read. */
  state(control: Element): CustomState | undefined;
  /** Forgets with what a call before has filled an element that fills itself. */
  forget(control: Element): void;
  isSame(a: CustomState, b: CustomState): boolean;
  restore(control: Element, state: CustomState): void;
}

/** How the agent learns what came of a submission, for the forms that ask for more than that it happened. */
export interface Answers {
  /** Is asked before the page's listeners. */
  begin(run: Run, event: SubmitEvent, submit: ExpectedSubmit): void;
  /** Is asked when the page has let the browser navigate. */
  after(run: Run, event: SubmitEvent): Promise<string | null> | undefined;
}

/** What the live forms of one registration have in common. */
export interface Settings {
  readonly synthesis: Synthesis;
  readonly tree: Tree<Node, Element>;
  /** What each tool says about itself. */
  readonly annotations?: ToolAnnotations | undefined;
  /** Milliseconds. */
  readonly awaitUser?: number | undefined;
  readonly custom?: CustomControls | undefined;
  readonly answers?: Answers | undefined;
  /** Runs when the live forms of a document begin. */
  readonly arrive?: ((document: Document) => void) | undefined;
  /** Runs for a window before its forms are read; `changed` is told of elements that say something new of themselves. */
  readonly prepare?:
    ((window: Global, changed: (element: Element) => void, signal: AbortSignal | undefined) => void) | undefined;
  readonly diagnose?: ((description: FormDescription, form: Element) => void) | undefined;
  /** Is told that a form waits for its name. */
  readonly isTaken?: ((name: string, form: Element) => void) | undefined;
}
