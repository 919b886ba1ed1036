import { windowOf } from '../platform/dom.js';
import { LazyPart } from '../platform/lazy-part.js';
import { modelContextOf } from '../platform/model-context.js';
import { discoverForms } from './discovery/discover-forms.js';
import type { RegisterFormsOptions } from './options.js';

/**
 * Registers every annotated form of a document, an element or a shadow root as a tool, and updates the tools while the
 * page changes. Browsers with WebMCP register forms with `toolname` and `tooldescription` themselves: there, only forms
 * with `data-toolname` and `data-tooldescription` are registered. Does nothing in insecure contexts.
 *
 * Returns a function to call with an element when the result of `annotate` changes for it.
 * @throws {NotSupportedError} if the page has no `document.modelContext`
 * @example
 * const host = apply(); // of webmcp-forms/polyfill
 * registerForms(document, { host, profile: 'precise' });
 */
export function registerForms(
  root: Document | ShadowRoot | Element = document,
  options: RegisterFormsOptions = {},
): (changed: Element) => void {
  const window = windowOf(root);
  if (window?.isSecureContext && !options.signal?.aborted && !modelContextOf(window))
    throw new DOMException('document.modelContext is missing. Call apply() first.', 'NotSupportedError');
  return discoverForms(root, options, new LazyPart(() => import('./forms/reporting-forms.js')));
}
