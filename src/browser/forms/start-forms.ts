import { withoutPrototype } from '../../platform/collections.js';
import type { Contact } from '../../platform/contact.js';
import { reportError } from '../../platform/report-error.js';
import { listen, onAbort } from '../../platform/signals.js';
import type { ModelContext } from '../../webmcp.js';
import type { NoticedRoot } from '../notice/notice-forms.js';
import { mayAnswerPreviousPage } from '../notice/previous-page.js';
import { Registrations } from '../notice/registrations.js';
import type { CallsPart, Settings } from '../settings.js';
import { LiveForms, type Registry } from './live-forms.js';
import { nativeHost } from './native-host.js';

/**
 * Describes the noticed forms of a root, registers them and keeps them registered. Returns a function to call for a change
 * that causes no mutation.
 */
export function startForms(
  noticed: NoticedRoot,
  settings: Settings,
  calls: Contact<CallsPart>,
): (changed: Element) => void {
  const { window, isNative, modelContext, notices, options } = noticed;
  const { signal } = options;
  const hasPending = notices.stop();
  onAbort(
    signal,
    calls.onMade(({ callSettings }) => void Object.assign(settings, callSettings(options))),
  );
  const withCalls = (steps: (part: CallsPart) => void): void => calls.make(steps, reportError);
  // The browser fills controls, whose editors then have to be updated.
  if (isNative) withCalls(({ updateEditors }) => updateEditors(window.document, settings, signal));
  const forms = new LiveForms(noticed, settings, { ...registryOf(noticed), calls });
  const onChange = (element: Element): void => forms.markChanged(element);
  settings.patchWindow?.(window, onChange, signal);
  if (mayAnswerPreviousPage(window)) withCalls((part) => part.answerPreviousPage(window.document));
  forms.start(window.document, signal, hasPending || !noticed.registrations || !!settings.diagnose);
  // A name may have become free.
  onToolChange(modelContext, () => forms.retry(), signal);
  return onChange;
}

function registryOf({ host, registrations, modelContext, window }: NoticedRoot): Omit<Registry, 'calls'> {
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
