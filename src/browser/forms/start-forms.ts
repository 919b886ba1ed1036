import { withoutPrototype } from '../../platform/collections.js';
import { isLoading } from '../../platform/dom.js';
import { modelContextOf } from '../../platform/model-context.js';
import { listen } from '../../platform/signals.js';
import type { ModelContext } from '../../webmcp.js';
import { patchCustomElements } from '../dom/scripted-tree.js';
import { updateEditors } from '../call/editors.js';
import type { DiscoveredRoot } from '../discovery/discover-forms.js';
import { Registrations } from '../discovery/registrations.js';
import { settingsOf } from '../settings.js';
import { answerPreviousPage } from '../submission/next-page.js';
import { LiveForms } from './live-forms.js';
import { NameConflicts } from './name-conflicts.js';
import { nativeHost } from './native-host.js';

/** Describes the discovered forms of a root, registers them and keeps them registered. */
export function startForms(discovered: DiscoveredRoot, settings = settingsOf(discovered.options)): void {
  const { window, isNative, index, options } = discovered;
  const modelContext = modelContextOf(window) as ModelContext;
  const { signal } = options;
  index.update(); // registers names
  const isUrgent = !isLoading(window.document) && (!discovered.registrations || !!settings.diagnose);
  const registrations = (discovered.registrations ??= new Registrations(nativeHost(modelContext, window)));
  // When the browser fills controls, their editors have to be updated.
  if (isNative) updateEditors(window.document, settings, signal);
  patchCustomElements(window, discovered.onChange, signal);
  answerPreviousPage(window.document);
  index.describe(new LiveForms(index, settings, new NameConflicts(registrations, window)), isUrgent);
  // A name may have become free.
  onToolChange(modelContext, () => registrations.retry(), signal);
}

function onToolChange(modelContext: ModelContext, steps: () => void, signal: AbortSignal | undefined): void {
  try {
    listen(modelContext, 'toolchange', steps, withoutPrototype({ signal }));
  } catch {
    // The model context of another polyfill may not be an event target.
  }
}
