import { withoutPrototype } from '../../platform/collections.js';
import { listen } from '../../platform/signals.js';
import type { ModelContext } from '../../webmcp.js';
import { patchCustomElements } from '../dom/scripted-tree.js';
import { updateEditors } from '../execution/editors.js';
import type { NoticedRoot } from '../notice/notice-forms.js';
import { Registrations } from '../notice/registrations.js';
import { answerPreviousPage } from '../submission/next-page.js';
import { LiveForms, type Registry } from './live-forms.js';
import { nativeHost } from './native-host.js';
import { settingsOf } from './settings-of.js';

/**
 * Describes the noticed forms of a root, registers them and keeps them registered. Returns a function to call for a change
 * that causes no mutation.
 */
export function startForms(noticed: NoticedRoot, settings = settingsOf(noticed.options)): (changed: Element) => void {
  const { window, isNative, modelContext, notices, options } = noticed;
  const { signal } = options;
  const hasPending = notices.stop();
  // The browser fills controls, whose editors then have to be updated.
  if (isNative) updateEditors(window.document, settings, signal);
  const forms = new LiveForms(noticed, settings, registryOf(noticed));
  const onChange = (element: Element): void => forms.markChanged(element);
  patchCustomElements(window, onChange, signal);
  answerPreviousPage(window.document);
  forms.start(window.document, signal, hasPending || !noticed.registrations || !!settings.diagnose);
  // A name may have become free.
  onToolChange(modelContext, () => forms.retry(), signal);
  return onChange;
}

function registryOf({ host, registrations, modelContext, window }: NoticedRoot): Registry {
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
