import { viewOf } from '../platform/dom.js';
import { SafeWeakMap } from '../platform/collections.js';
import { portKey } from '../platform/port.js';
import { define } from '../platform/properties.js';
import { onAbort } from '../platform/signals.js';
import { removeContexts } from './frames/context.js';
import { endForms } from './frames/forms.js';
import type { Global, Realm } from './frames/realm.js';
import type { PolyfillState } from './state.js';

/** A property that the polyfill defines. A descriptor is undefined where the property is missing. */
interface Defined {
  readonly object: object;
  readonly key: PropertyKey;
  readonly before: PropertyDescriptor | undefined;
  readonly after: PropertyDescriptor | undefined;
}

type Place = readonly [object: object, key: PropertyKey];

const placesIn = (window: Global): readonly Place[] => [
  ...['ModelContext', 'ToolActivatedEvent', 'ToolCancelEvent', portKey].map((key): Place => [window, key]),
  [window.Document.prototype, 'modelContext'],
  [window.Navigator.prototype, 'modelContext'],
  [window.HTMLIFrameElement.prototype, 'contentWindow'],
  [window.HTMLIFrameElement.prototype, 'contentDocument'],
];

/** The properties that were defined in a window. Not recorded if a script without a signal has polyfilled the window. */
const definedIn = new SafeWeakMap<Window, readonly Defined[]>();

export type Removal = ReturnType<typeof removalBy>;

/** Removes the polyfill when a signal aborts. */
export const removalBy = (signal: AbortSignal) => ({
  /** Runs before members are defined in a window. Returns a function to call after that. */
  installing(window: Global): () => void {
    const places = placesIn(window).map(([object, key]) => ({ object, key, before: descriptorOf(object, key) }));
    return () => {
      const defined = places.map((place) => ({ ...place, after: descriptorOf(place.object, place.key) }));
      definedIn.set(window, defined);
    };
  },
  /** Runs after the polyfill is installed with these options. `state` is undefined if the browser has its own API. */
  installed(realm: Realm, state?: PolyfillState): void {
    onAbort(signal, () => (state ? uninstall(state, realm) : restore(realm.window)));
  },
});

const descriptorOf = (object: object, key: PropertyKey): PropertyDescriptor | undefined =>
  Object.getOwnPropertyDescriptor(object, key);

/**
 * The properties that pages rarely define themselves. The attributes of frames stay patched, which has no effect after
 * the polyfill is removed.
 */
const newProperties = (window: Window): readonly Defined[] =>
  placesIn(window as Global)
    .filter(([, key]) => key !== 'contentWindow' && key !== 'contentDocument')
    .map(([object, key]) => ({ object, key, before: undefined, after: descriptorOf(object, key) }));

/** Restores the properties of a window that no other script has defined since. */
function restore(window: Window): void {
  for (const { object, key, before, after } of definedIn.get(window) ?? newProperties(window)) {
    const current = descriptorOf(object, key);
    if (!current?.configurable || current.value !== after?.value || current.get !== after?.get) continue;
    if (before) define(object, key, before);
    else Reflect.deleteProperty(object, key);
  }
  definedIn.delete(window);
}

/** Removes the polyfill from a window, or from all windows if it is the script's own window. */
function uninstall(state: PolyfillState, realm: Realm): void {
  const { installations } = state;
  if (!installations.has(realm)) return;
  const isOwn = realm === state.realm;
  for (const [each, { controller }] of installations) {
    if (each !== realm && !isOwn) continue;
    installations.delete(each);
    state.agent?.endCalls(each);
    endForms(state, (document) => viewOf(document) === each.window);
    removeContexts(state, each);
    controller.abort();
    restore(each.window);
  }
  if (installations.size > 0) return;
  endForms(state, () => true);
  state.agent?.end();
}
