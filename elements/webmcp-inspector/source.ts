import type { Annotate, RegisteredTool } from '../../src/index.js';
import type { ElementDiagnostic } from '../diagnostic.js';
import { annotationOf, isIgnored } from '../form-access.js';
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

/** Shows a control or a form at its place in the source, such as in an editor. */
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
  /** The URL of the documentation about the code. */
  readonly url?: string;
  readonly show?: Show;
}

/** The parameters of a form in each profile, and the controls that are not parameters. */
export type ToolInspection = FormView<Show | undefined>;

/**
 * Tools that the inspector shows instead of the tools of its page, such as the tools of a frame of another origin. It has
 * the methods of `document.modelContext` that the inspector calls, and can describe the forms of the tools.
 */
export interface InspectorSource {
  getTools(): Promise<readonly SourceTool[]>;
  /**
   * Calls a tool that `getTools` has returned. If it rejects with an error that has `errors`, each with `parameter`,
   * `code` and `message`, they are shown with the fields of the parameters.
   */
  executeTool(tool: SourceTool, input: object, options: { readonly signal: AbortSignal }): Promise<string | null>;
  /** Called with the event `toolchange`, which reports that the tools or their properties changed. */
  addEventListener(type: 'toolchange', listener: () => void, options: { readonly signal: AbortSignal }): void;
  /** Inspects the form of a tool. Undefined if the tool has no form. */
  inspectTool?(tool: SourceTool): Promise<ToolInspection | undefined>;
  /** The findings of all tools. */
  findings?(): Promise<readonly InspectorFinding[]>;
}

/** A `<webmcp-tool>`. The members are undefined until it is upgraded. */
interface ToolElement extends Element {
  readonly name?: string;
  readonly form?: HTMLFormElement | null;
  readonly annotate?: Annotate;
  readonly diagnostics?: readonly ElementDiagnostic[];
}

/** A form or an element that can define a tool. */
export interface Source {
  readonly name: string;
  readonly kind: 'form' | 'element';
  readonly element: Element;
  readonly form: HTMLFormElement | null;
  readonly annotate: Annotate | undefined;
  readonly diagnostics: readonly ElementDiagnostic[];
}

/** The name of a form's tool, or the empty string. */
export const toolNameOf = (form: Element): string => annotationOf(form, 'toolname') ?? '';

/** A root and the open shadow trees in it. */
export function* rootsIn(root: Document | ShadowRoot): Iterable<Document | ShadowRoot> {
  yield root;
  for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) yield* rootsIn(shadowRoot);
}

function sourceOf(element: ToolElement): Source {
  if (element.localName !== 'webmcp-tool') {
    const form = element as Element as HTMLFormElement;
    return { name: toolNameOf(form), kind: 'form', element, form, annotate: undefined, diagnostics: [] };
  }
  const { name = element.getAttribute('name') ?? '', form = null, annotate, diagnostics = [] } = element;
  return { name, kind: 'element', element, form, annotate, diagnostics };
}

/** The document of a window; undefined for other origins. */
export function documentOf(window: Window | undefined): Document | undefined {
  try {
    return window?.document;
  } catch {
    return undefined;
  }
}

/** The sources in the document of a window and in its open shadow trees. */
export function* sourcesIn(window: Window | undefined): Iterable<Source> {
  const document = documentOf(window);
  if (!document) return;
  for (const root of rootsIn(document)) {
    for (const element of root.querySelectorAll('form[toolname], form[data-toolname], webmcp-tool')) {
      if (!isIgnored(element)) yield sourceOf(element);
    }
  }
}
