import { getAttribute } from '../../platform/dom.js';
import { getter } from '../../platform/primordials.js';
import { originOf } from '../frames/origins.js';
import { documentOf, frameElementOf, originOfWindow, parentOf } from '../frames/realm.js';
import type { PolyfillState } from '../state.js';

const feature = 'tools';

/** Whether the permissions policy allows the feature to the document of a window; undefined if only the embedder knows. */
export function policyOf(policies: PolyfillState['policies'], window: Window): boolean | undefined {
  const parent = parentOf(window);
  if (parent === window) return true;
  if (!documentOf(parent)) return policies.get(window.document);
  const inherited = policyOf(policies, parent);
  const element = frameElementOf(window);
  return inherited && element ? allows(element, originOfWindow(parent), originOfWindow(window)) : inherited;
}

const baseUriOf: (node: Node) => string = getter('Node', 'baseURI');

/**
 * Whether the `allow` attribute of a frame allows the feature to a document in it.
 * https://www.w3.org/TR/permissions-policy/#algo-process-policy-attributes
 */
export function allows(element: Element, own: string, origin: string): boolean {
  const directives = (getAttribute(element, 'allow') ?? '').split(';').map((text) => text.trim().split(/\s+/));
  const directive = directives.find(([name]) => name === feature);
  if (!directive) return origin === own && origin !== 'null';
  const [, ...sources] = directive;
  if (sources.length === 0) sources.push("'src'");
  return sources.some((source) => isSource(source, element, own, origin));
}

function isSource(source: string, element: Element, own: string, origin: string): boolean {
  if (source === '*') return true;
  if (origin === 'null') return source === "'src'" && isSandboxed(element);
  if (source === "'self'") return origin === own;
  return origin === (source === "'src'" ? sourceOrigin(element, own) : originOf(source));
}

function isSandboxed(element: Element): boolean {
  const sandbox = getAttribute(element, 'sandbox');
  return sandbox !== null && !/(?:^|\s)allow-same-origin(?:\s|$)/i.test(sandbox);
}

function sourceOrigin(element: Element, own: string): string | null {
  const src = getAttribute(element, 'src');
  if (src === null || getAttribute(element, 'srcdoc') !== null || /^\s*about:/i.test(src)) return own;
  return originOf(src, baseUriOf(element));
}
