import { matches } from '../../platform/collections.js';
import { getter, method } from '../../platform/primordials.js';
import { startTimeout, stopTimer } from '../../platform/tasks.js';
import type { PolyfillState } from '../state.js';
import { originOf } from './origins.js';
import { documentOf, frameElementOf, originOfWindow, parentOf, viewOf } from './realm.js';

const feature = 'tools';
const policyTimeoutMs = 1000;

/**
 * Whether the permissions policy allows a document the feature "tools"; undefined while only an embedding page of another
 * origin knows.
 * https://www.w3.org/TR/permissions-policy/#algo-is-feature-enabled
 */
export function isAllowed({ policies }: PolyfillState, document: Document): boolean | undefined {
  const known = policies.get(document);
  if (known !== undefined) return known;
  const view = viewOf(document);
  const allowed = view ? policyOf(policies, view) : false;
  if (allowed !== undefined && view) policies.set(document, allowed);
  return allowed;
}

function policyOf(policies: PolyfillState['policies'], window: Window): boolean | undefined {
  const parent = parentOf(window);
  if (parent === window) return true;
  if (!documentOf(parent)) return policies.get(window.document);
  const inherited = policyOf(policies, parent);
  const element = frameElementOf(window);
  return inherited && element ? allows(element, originOfWindow(parent), originOfWindow(window)) : inherited;
}

/** Like `isAllowed`, but requests the policy from the embedding page if only that page knows. */
export async function requestPolicy(state: PolyfillState, document: Document): Promise<boolean | undefined> {
  const view = viewOf(document);
  const outermost = view && outermostOfOrigin(view);
  if (outermost && isAllowed(state, document) === undefined) await sendRequest(state, outermost);
  return isAllowed(state, document);
}

/** The nearest inclusive ancestor with a parent of another origin; null if all ancestors have the same origin. */
function outermostOfOrigin(window: Window): Window | null {
  const parent = parentOf(window);
  if (parent === window) return null;
  return documentOf(parent) ? outermostOfOrigin(parent) : window;
}

/** Also waits if an earlier request is pending. */
function sendRequest(state: PolyfillState, window: Window): Promise<void> {
  const { document } = window;
  const request = state.policyRequests.get(document) ?? createRequest(state, document);
  state.crossOrigin?.requestPolicy(window, (allowed) => {
    state.policies.set(document, allowed);
    request.finish();
  });
  return request.finished;
}

function createRequest({ policyRequests }: PolyfillState, document: Document) {
  let resolve!: () => void;
  const finished = new Promise<void>((resolvePromise) => (resolve = resolvePromise));
  const finish = (): void => {
    stopTimer(timer);
    policyRequests.delete(document);
    resolve();
  };
  const timer = startTimeout(policyTimeoutMs, finish);
  policyRequests.set(document, { finished, finish });
  return { finished, finish };
}

const attributeOf: (element: Element, name: string) => string | null = method('Element', 'getAttribute');
const baseUriOf: (node: Node) => string = getter('Node', 'baseURI');

/**
 * Whether the `allow` attribute of a frame allows the feature to a document in it.
 * https://www.w3.org/TR/permissions-policy/#algo-process-policy-attributes
 */
export function allows(element: Element, own: string, origin: string): boolean {
  const directives = (attributeOf(element, 'allow') ?? '').split(';').map((text) => text.trim().split(/\s+/));
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
  const sandbox = attributeOf(element, 'sandbox');
  return sandbox !== null && !matches(/(?:^|\s)allow-same-origin(?:\s|$)/i, sandbox);
}

function sourceOrigin(element: Element, own: string): string | null {
  const src = attributeOf(element, 'src');
  if (src === null || attributeOf(element, 'srcdoc') !== null || matches(/^\s*about:/i, src)) return own;
  return originOf(src, baseUriOf(element));
}
