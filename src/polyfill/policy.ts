import type { Context } from './context.js';
import { originOf } from './origins.js';
import { documentOf, viewOf } from './realm.js';

const feature = 'tools';
const decided = new WeakMap<Document, boolean>();
const waiting = new WeakMap<Document, ((allowed: boolean) => void)[]>();

/** What asks the page that embeds a window of ours, if that page is of another origin. */
type Ask = (window: Window, answer: (allowed: boolean) => void) => void;
let ask: Ask = () => undefined;
export const onAsk = (steps: Ask): void => void (ask = steps);

/**
 * Whether the permissions policy allows a document the feature "tools"; undefined while nobody has said so.
 * https://www.w3.org/TR/permissions-policy/#algo-is-feature-enabled
 */
export function isAllowed({ document }: Pick<Context, 'document'>): boolean | undefined {
  const known = decided.get(document);
  if (known !== undefined) return known;
  const view = viewOf(document);
  const allowed = view ? policyOf(view) : false;
  if (allowed !== undefined && view) decided.set(document, allowed);
  return allowed;
}

function policyOf(window: Window): boolean | undefined {
  if (window.parent === window) return true;
  if (!documentOf(window.parent)) {
    const { document } = window;
    return decided.get(document);
  }
  const above = policyOf(window.parent);
  const element = window.frameElement;
  return above && element ? allows(element, window.parent.origin, window.origin) : above;
}

/** The window of ours whose parent is of another origin, on the way up from a window; null if there is none. */
function outermost(window: Window): Window | null {
  if (window.parent === window) return null;
  return documentOf(window.parent) ? outermost(window.parent) : window;
}

/** Waits for what the embedding page says, at most `limit` milliseconds; undefined if it says nothing. */
export async function whenAllowed(context: Pick<Context, 'document'>, limit = 1000): Promise<boolean | undefined> {
  const { document } = context;
  const asked = outermost(viewOf(document) as Window);
  if (isAllowed(context) === undefined && asked) {
    await new Promise<unknown>((resolve) => {
      setTimeout(resolve, limit);
      waiting.set(asked.document, [...(waiting.get(asked.document) ?? []), resolve]);
      ask(asked, (allowed) => decide(asked.document, allowed));
    });
  }
  return isAllowed(context);
}

/** Takes the answer of the embedding page. */
export function decide(document: Document, allowed: boolean): void {
  decided.set(document, allowed);
  for (const resolve of waiting.get(document) ?? []) resolve(allowed);
  waiting.delete(document);
}

/**
 * Whether a frame's `allow` gives the feature to a document in it.
 * https://www.w3.org/TR/permissions-policy/#algo-process-policy-attributes
 */
export function allows(element: Element, own: string, origin: string): boolean {
  const directives = (element.getAttribute('allow') ?? '').split(';').map((text) => text.trim().split(/\s+/));
  const directive = directives.find(([name]) => name?.toLowerCase() === feature);
  if (!directive) return origin === own && origin !== 'null';
  const [, ...sources] = directive;
  if (sources.length === 0) sources.push("'src'");
  return sources.some((source) => matches(source, element, own, origin));
}

function matches(source: string, element: Element, own: string, origin: string): boolean {
  if (source === '*') return true;
  if (origin === 'null') return source === "'src'" && isSandboxed(element);
  if (source === "'self'") return origin === own;
  return origin === (source === "'src'" ? sourceOrigin(element, own) : originOf(source));
}

const isSandboxed = (element: Element): boolean =>
  element.hasAttribute('sandbox') && !/(?:^|\s)allow-same-origin(?:\s|$)/i.test(element.getAttribute('sandbox') ?? '');

function sourceOrigin(element: Element, own: string): string | null {
  const src = element.getAttribute('src');
  if (src === null || element.hasAttribute('srcdoc')) return own;
  const { protocol, origin } = new URL(src, element.ownerDocument.baseURI);
  return protocol === 'about:' ? own : origin;
}
