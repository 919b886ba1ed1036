import type { Annotate } from '../../src/index.js';
import type { ElementDiagnostic } from '../diagnostic.js';

/** What the inspector knows of a `<webmcp-tool>`; not upgraded, it has none of it. */
interface ToolElement extends Element {
  readonly name?: string;
  readonly form?: HTMLFormElement | null;
  readonly annotate?: Annotate;
  readonly diagnostics?: readonly ElementDiagnostic[];
}

/** What in the page a tool is made of. */
export interface Source {
  readonly name: string;
  readonly kind: 'form' | 'element';
  readonly element: Element;
  readonly form: HTMLFormElement | null;
  readonly annotate: Annotate | undefined;
  readonly diagnostics: readonly ElementDiagnostic[];
}

// A control can hide the methods of its form behind its name.
const getAttribute = (element: Element, name: string): string | null =>
  Element.prototype.getAttribute.call(element, name);

function* rootsIn(root: Document | ShadowRoot): Iterable<Document | ShadowRoot> {
  yield root;
  for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) yield* rootsIn(shadowRoot);
}

function sourceOf(element: ToolElement): Source {
  if (element.localName !== 'webmcp-tool') {
    const form = element as Element as HTMLFormElement;
    const name = getAttribute(element, 'toolname') ?? getAttribute(element, 'data-toolname') ?? '';
    return { name, kind: 'form', element, form, annotate: undefined, diagnostics: [] };
  }
  const { name = getAttribute(element, 'name') ?? '', form = null, annotate, diagnostics = [] } = element;
  return { name, kind: 'element', element, form, annotate, diagnostics };
}

/** The document of a window that this page may look into. */
export function documentOf(window: Window | undefined): Document | undefined {
  try {
    return window?.document;
  } catch {
    return undefined;
  }
}

/** What the tools of a window can be made of: in its document and in the open shadow trees of that. */
export function* sourcesIn(window: Window | undefined): Iterable<Source> {
  const document = documentOf(window);
  if (!document) return;
  for (const root of rootsIn(document)) {
    for (const element of root.querySelectorAll('form[toolname], form[data-toolname], webmcp-tool')) {
      yield sourceOf(element);
    }
  }
}
