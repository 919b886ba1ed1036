import type { RegisteredTool } from '../../src/index.js';
import type { FormView } from './view/form-view.js';

/** A tool of a source: one of `document.modelContext`, or an object with the members that the inspector shows. */
export interface SourceTool extends Partial<Omit<RegisteredTool, 'name' | 'inputSchema'>> {
  readonly name: string;
  /** An object, or JSON text. */
  readonly inputSchema?: object | string;
  /**
   * Identifies the tool when its name changes.
   * @default the name
   */
  readonly id?: string;
}

/** Shows a control or a form where the source has it, such as in an editor. */
export type Show = () => void;

/** A finding about a tool, a form or a control. */
export interface InspectorFinding {
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: string;
  readonly message: string;
  /** The name of the tool. */
  readonly tool?: string;
  readonly parameter?: string;
  /** The place, such as a line of a source. */
  readonly place?: string;
  /** The page about the code. */
  readonly url?: string;
  readonly show?: Show;
}

/** The parameters of a form in each profile, and the controls that are not parameters. */
export type ToolInspection = FormView<Show | undefined>;

/**
 * Tools that the inspector shows instead of those of its page, such as the tools of a frame of another origin. It has the
 * methods of `document.modelContext` that the inspector calls, and can describe the forms of the tools.
 */
export interface InspectorSource {
  getTools(): Promise<readonly SourceTool[]>;
  /**
   * Calls a tool that `getTools` has returned. A rejection with an error that has `errors`, each with `parameter`, `code` and
   * `message`, shows them with the fields of the parameters.
   */
  executeTool(tool: SourceTool, input: object, options: { readonly signal: AbortSignal }): Promise<string | null>;
  /** Called with the event `toolchange`, which reports that the tools or what is known of them changed. */
  addEventListener(type: 'toolchange', listener: () => void, options: { readonly signal: AbortSignal }): void;
  /** Inspects the form of a tool. Undefined if the tool has no form. */
  inspectTool?(tool: SourceTool): Promise<ToolInspection | undefined>;
  /** The findings of all tools. */
  findings?(): Promise<readonly InspectorFinding[]>;
}
