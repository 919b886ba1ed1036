import type { PageOptions, RegisterFormsOptions } from '../../src/index.js';
import { modelContextOf } from '../../src/platform/model-context.js';
import { error, type Report } from './diagnostics.js';

const windowOf = (document: Document): (Window & typeof globalThis) | null => document.defaultView;

const isSecure = (document: Document): boolean => windowOf(document)?.isSecureContext === true;

/** Whether this package's polyfill serves a document. Unlike browsers, it preserves the reasons of failed calls. */
export const isPolyfilled = (document: Document): boolean =>
  Object.hasOwn(windowOf(document) ?? {}, Symbol.for('webmcp-forms'));

/** The options of the page's script or of its call of `registerForms`. */
export function pageOptionsOf(document: Document): PageOptions {
  const key = Symbol.for('webmcp-forms.options');
  const options = Object.getOwnPropertyDescriptor(windowOf(document) ?? {}, key)?.value as
    | RegisterFormsOptions
    | undefined;
  const { profile, sensitive, autosubmitOrigins, editors } = options?.signal?.aborted ? {} : (options ?? {});
  return {
    ...(profile && { profile }),
    ...(sensitive && { sensitive }),
    ...(autosubmitOrigins && { autosubmitOrigins }),
    ...(editors && { editors }),
  };
}

const firstDelayMs = 50;
const maxDelayMs = 20_000;

/**
 * Runs a callback once a document has a model context, which a polyfill may provide later. Checks on load and at
 * growing intervals, for about a minute.
 */
export function whenModelContext(document: Document, signal: AbortSignal, callback: () => void): void {
  const done = new AbortController();
  const options = { signal: AbortSignal.any([signal, done.signal]) };
  const check = (): void => {
    if (options.signal.aborted || !modelContextOf(windowOf(document))) return;
    done.abort();
    callback();
  };
  const schedule = (delayMs: number): void =>
    void setTimeout(() => {
      check();
      if (delayMs < maxDelayMs && !options.signal.aborted) schedule(delayMs * 2);
    }, delayMs);
  document.addEventListener('readystatechange', check, options);
  windowOf(document)?.addEventListener('load', check, options);
  schedule(firstDelayMs);
}

const messages = {
  'not-secure': 'The page is not a secure context, so it has no tools. Serve it over HTTPS or from localhost.',
  'no-model-context':
    'The page has no document.modelContext. Load webmcp-forms/auto, or call apply() of webmcp-forms/polyfill.',
};

/** Reports a document that has no model context when it has loaded. */
export function reportMissingContext(document: Document, signal: AbortSignal, report: Report): void {
  const code = isSecure(document) ? 'no-model-context' : 'not-secure';
  const onLoad = (): void => {
    if (!modelContextOf(windowOf(document))) report(error(code, messages[code]));
  };
  if (document.readyState === 'complete') onLoad();
  else windowOf(document)?.addEventListener('load', onLoad, { once: true, signal });
}
