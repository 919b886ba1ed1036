import { getter, method } from '../../platform/primordials.js';
import { matches, SafeWeakMap } from '../../platform/collections.js';
import type { Context } from './context.js';
import { originOf } from './origins.js';
import { others } from '../cross-origin/channel.js';
import { documentOf, frameElementOf, originOfWindow, parentOf, viewOf } from './realm.js';
import { startTimeout } from '../../platform/tasks.js';

const feature = 'tools';
const allowedByDocument = new SafeWeakMap<Document, boolean>();
const waiting = new SafeWeakMap<Document, Waiting>();

interface Waiting {
  readonly answered: Promise<void>;
  readonly end: () => void;
}

/**
 * Whether the permissions policy allows a document the feature "tools"; undefined while nobody has said so.
 * https://www.w3.org/TR/permissions-policy/#algo-is-feature-enabled
 */
export function isAllowed({ document }: Pick<Context, 'document'>): boolean | undefined {
  const known = allowedByDocument.get(document);
  if (known !== undefined) return known;
  const view = viewOf(document);
  const allowed = view ? policyOf(view) : false;
  if (allowed !== undefined && view) allowedByDocument.set(document, allowed);
  return allowed;
}

function policyOf(window: Window): boolean | undefined {
  const parent = parentOf(window);
  if (parent === window) return true;
  if (!documentOf(parent)) return allowedByDocument.get(window.document);
  const above = policyOf(parent);
  const element = frameElementOf(window);
  return above && element ? allows(element, originOfWindow(parent), originOfWindow(window)) : above;
}

/** The window of ours whose parent is of another origin, on the way up from a window; null if there is none. */
function outermost(window: Window): Window | null {
  const parent = parentOf(window);
  if (parent === window) return null;
  return documentOf(parent) ? outermost(parent) : window;
}

/** The policy, after the embedding page was asked; undefined if it says nothing for a second. */
export async function whenAllowed(context: Pick<Context, 'document'>): Promise<boolean | undefined> {
  const view = viewOf(context.document);
  const asked = view && outermost(view);
  if (asked && isAllowed(context) === undefined) await ask(asked).answered;
  return isAllowed(context);
}

/** Asks the embedding page of a window, which is of another origin, and waits for it once. */
function ask(window: Window): Waiting {
  const { document } = window;
  const entry = waiting.get(document) ?? startWaiting(document);
  others().askPolicy(window, (allowed) => {
    allowedByDocument.set(document, allowed);
    entry.end();
  });
  return entry;
}

function startWaiting(document: Document): Waiting {
  let end!: () => void;
  const answered = new Promise<void>((resolve) => {
    end = () => {
      waiting.delete(document);
      resolve();
    };
  });
  startTimeout(1000, end);
  waiting.set(document, { answered, end });
  return { answered, end };
}

const attributeOf: (element: Element, name: string) => string | null = method('Element', 'getAttribute');
const baseUriOf: (node: Node) => string = getter('Node', 'baseURI');

/**
 * Whether a frame's `allow` gives the feature to a document in it.
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
