import type { Settings } from './browser/settings.js';
import { startForms } from './browser/forms/start-forms.js';
import type { Connect } from './polyfill/state.js';
import { start } from './polyfill/install.js';

/** Polyfills the page if needed, and registers the forms of the page and of the frames that the polyfill serves. */
export function startAll(settings: Settings, connect?: Connect): void {
  const host = start({ connect, forms: (document, host, signal) => startForms(document, settings, { host, signal }) });
  if (!host) startForms(document, settings, {});
}
