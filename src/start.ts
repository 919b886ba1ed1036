import { noticeForms, type FormsPart } from './browser/notice/notice-forms.js';
import type { RegisterFormsOptions } from './browser/options.js';
import { Contact } from './platform/contact.js';
import { start } from './polyfill/install.js';
import type { AgentPart } from './polyfill/state.js';

export type Agent = AgentPart & FormsPart;

/**
 * Polyfills the page if needed, and registers the forms of the page and of the frames that the polyfill serves.
 *
 * @param attributes - `data-profile` and `data-sensitive` of the script's tag. Unknown values have no effect.
 */
export function startAll(load: () => Agent | Promise<Agent>, attributes: DOMStringMap = {}): void {
  if (typeof document === 'undefined') return;
  const options = { profile: attributes.profile, sensitive: attributes.sensitive } as RegisterFormsOptions;
  const contact = new Contact(load);
  const host = start(contact, {
    forms: (document, host, signal) => noticeForms(document, { ...options, host, signal }, contact),
  });
  if (!host) noticeForms(document, options, contact);
}
