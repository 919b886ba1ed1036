import type { ModelContext } from '../../src/index.js';
import type { ElementDiagnostic } from '../diagnostic.js';
import { error } from './problems.js';

type Global = Window & typeof globalThis;

const windowOf = (document: Document): Global | null => document.defaultView;

export const isSecure = (document: Document): boolean => windowOf(document)?.isSecureContext === true;

/** The model context of a document; a form named `modelContext` would be found first at the document itself. */
export function modelContextOf(document: Document): ModelContext | undefined {
  const { prototype } = windowOf(document)?.Document ?? {};
  const descriptor = prototype && Object.getOwnPropertyDescriptor(prototype, 'modelContext');
  const get = Reflect.get(descriptor ?? {}, 'get') as ((this: Document) => ModelContext) | undefined;
  return get && isSecure(document) ? get.call(document) : undefined;
}

/** Whether our polyfill serves a document: it keeps the reasons why tools fail, which browsers lose. */
export const isPolyfilled = (document: Document): boolean =>
  Object.hasOwn(windowOf(document) ?? {}, Symbol.for('webmcp-forms'));

const firstWait = 50;
const lastWait = 20_000;

/**
 * Runs steps when a document that has no model context has got one: a polyfill comes with another script, perhaps later.
 * It is looked for when the document is ready, when it has loaded, and then ever more seldom, for a minute.
 */
export function whenModelContext(document: Document, signal: AbortSignal, steps: () => void): void {
  const done = new AbortController();
  const look = (): void => {
    if (done.signal.aborted || signal.aborted || !modelContextOf(document)) return;
    done.abort();
    steps();
  };
  const options = { signal: AbortSignal.any([signal, done.signal]) };
  document.addEventListener('readystatechange', look, options);
  windowOf(document)?.addEventListener('load', look, options);
  const wait = (milliseconds: number): void => {
    const timer = setTimeout(() => {
      look();
      if (milliseconds < lastWait) wait(milliseconds * 2);
    }, milliseconds);
    options.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  wait(firstWait);
}

const messages = {
  'not-secure': 'The page is not secure, so it has no tools: serve it by HTTPS, or from localhost.',
  'no-model-context':
    'The page has no document.modelContext, so there is no tool yet: load webmcp-forms/auto, or call apply() of webmcp-forms/polyfill.',
};

/** Tells that a document has no model context, if it still has none when it has loaded. */
export function missingContext(
  document: Document,
  signal: AbortSignal,
  tell: (problem: ElementDiagnostic) => void,
): void {
  const code = isSecure(document) ? 'no-model-context' : 'not-secure';
  const tellLoaded = (): void => {
    if (!modelContextOf(document)) tell(error(code, messages[code]));
  };
  if (document.readyState === 'complete') tellLoaded();
  else windowOf(document)?.addEventListener('load', tellLoaded, { once: true, signal });
}
