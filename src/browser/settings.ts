import type { FormDescription } from '../compiler/description.js';
import type { Synthesis } from '../compiler/tool.js';
import type { Tree } from '../compiler/tree.js';
import type { ToolAnnotations } from '../webmcp.js';
import type { FindEditor } from './adapters/editors/editor.js';

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
