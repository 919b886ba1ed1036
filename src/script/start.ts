import { discoverForms } from '../browser/discovery/discover-forms.js';
import type { RegisterFormsOptions } from '../browser/options.js';
import { LazyPart } from '../platform/lazy-part.js';
import { start } from '../polyfill/install.js';

export type AgentScript = typeof import('./agent.js');

/**
 * Polyfills the page if needed, and registers the forms of the page and of the frames that the polyfill serves.
 *
 * @param attributes - `data-profile`, `data-sensitive` and `data-autosubmit-origins` of the script's element. Unknown values
 * have no effect.
 */
export function startAll(load: () => AgentScript | Promise<AgentScript>, attributes: DOMStringMap = {}): void {
  if (typeof document === 'undefined') return;
  const { profile, sensitive, autosubmitOrigins } = attributes;
  const options = { profile, sensitive, autosubmitOrigins } as unknown as RegisterFormsOptions;
  const agent = new LazyPart(load);
  const host = start(agent, {
    forms: (document, host, signal) => discoverForms(document, { ...options, host, signal }, agent),
  });
  if (!host) discoverForms(document, options, agent);
}
