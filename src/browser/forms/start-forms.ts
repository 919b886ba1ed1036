import { withoutPrototype } from '../../platform/collections.js';
import { listen } from '../../platform/signals.js';
import type { ModelContext } from '../../webmcp.js';
import { patchCustomElements } from '../dom/scripted-tree.js';
import { updateEditors } from '../call/editors.js';
import type { DiscoveredRoot } from '../discovery/discover-forms.js';
import { Registrations } from '../discovery/registrations.js';
import { answerPreviousPage } from '../submission/next-page.js';
import { LiveForms, type Registry } from './live-forms.js';
import { nativeHost } from './native-host.js';
import { settingsOf } from './settings-of.js';

/**
 * Describes the discovered forms of a root, registers them and keeps them registered. Returns a function to call for a change
 * that causes no mutation.
 */
export function startForms(
  discovered: DiscoveredRoot,
  settings = settingsOf(discovered.options),
): (changed: Element) => void {
  const { window, isNative, modelContext, discoveredForms, options } = discovered;
  const { signal } = options;
  const hasPending = discoveredForms.stop();
  // The browser fills controls, whose editors then have to be updated.
  if (isNative) updateEditors(window.document, settings, signal);
  const forms = new LiveForms(discovered, settings, registryOf(discovered));
  const onChange = (element: Element): void => forms.markChanged(element);
  patchCustomElements(window, onChange, signal);
  answerPreviousPage(window.document);
  forms.start(window.document, signal, hasPending || !discovered.registrations || !!settings.diagnose);
  // A name may have become free.
  onToolChange(modelContext, () => forms.retry(), signal);
  return onChange;
}

function registryOf({ host, registrations, modelContext, window }: DiscoveredRoot): Registry {
  if (host && registrations) return { host, registrations };
  const native = nativeHost(modelContext, window);
  return { host: native, registrations: new Registrations(native) };
}

function onToolChange(modelContext: ModelContext, steps: () => void, signal: AbortSignal | undefined): void {
  try {
    listen(modelContext, 'toolchange', steps, withoutPrototype({ signal }));
  } catch {
    // The model context of another polyfill may not be an event target.
  }
}
