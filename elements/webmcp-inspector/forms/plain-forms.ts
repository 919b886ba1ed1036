import { annotationOf, attributeOf, elementsOf, isIgnored } from '../../form-access.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';

/** The forms of a document that are not tools. */
export interface PlainForms {
  readonly document: Document;
  /** The document and its open shadow trees. */
  readonly roots: readonly (Document | ShadowRoot)[];
  readonly forms: readonly Element[];
}

const htmlNamespace = 'http://www.w3.org/1999/xhtml';
const annotations = ['toolname', 'tooldescription', 'tooltitle', 'toolautosubmit'];

/** Finds the forms of a window without annotations that an agent could fill or submit. */
export function findPlainForms(host: WebmcpInspector, window: Window): PlainForms {
  const { document } = window;
  const claimed = new Set<unknown>(Array.from(host.sources.sourcesIn(window), ({ form }) => form));
  const roots = [...host.sources.rootsIn(document)].filter((root) => !isOwn(root));
  const found = roots.flatMap((root) => [...root.querySelectorAll('form')]);
  return { document, roots, forms: found.filter((form) => !claimed.has(form) && isPlain(form) && !isIgnored(form)) };
}

/** Whether a root is the shadow tree of the inspector or of another element of the package. */
const isOwn = (root: Document | ShadowRoot): boolean => 'host' in root && root.host.localName.startsWith('webmcp-');

const isPlain = (form: Element): boolean =>
  Reflect.get(Element.prototype, 'namespaceURI', form) === htmlNamespace &&
  annotations.every((name) => annotationOf(form, name) === null) &&
  attributeOf(form, 'method')?.toLowerCase() !== 'dialog' &&
  elementsOf(form).some(isUsable);

const isUsable = (control: Element): boolean =>
  !/^(?:fieldset|object|output)$/.test(control.localName) && attributeOf(control, 'type')?.toLowerCase() !== 'hidden';
