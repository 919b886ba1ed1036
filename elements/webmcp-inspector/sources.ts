import type { Annotate } from '../../src/index.js';
import type { ElementDiagnostic } from '../diagnostic.js';
import { annotationOf, isIgnored } from '../form-access.js';

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
