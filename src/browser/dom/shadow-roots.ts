import { apply } from '../../platform/primordials.js';
import { SafeSet, SafeWeakMap } from '../../platform/collections.js';
import { define, operation } from '../../platform/properties.js';
import { onAbort } from '../../platform/signals.js';
import { viewOf } from './dom-tree.js';

type Listener = (shadow: ShadowRoot) => void;

const listeners = new SafeWeakMap<object, Set<Listener>>();

/** Listens for open shadow roots that scripts attach in a document's window, until a signal aborts: nothing else tells. */
export function onShadowRoot(document: Document, signal: AbortSignal | undefined, listener: Listener): void {
  const prototype = viewOf(document)?.Element.prototype;
  if (!prototype) return;
  const known = listeners.get(prototype);
  const all = known ?? new SafeSet<Listener>();
  if (!known) {
    listeners.set(prototype, all);
    patch(prototype, all);
  }
  all.add(listener);
  onAbort(signal, () => all.delete(listener));
}

function patch(prototype: Element, all: ReadonlySet<Listener>): void {
  const attachShadow = Reflect.get(prototype, 'attachShadow') as () => ShadowRoot;
  const patched = operation('attachShadow', 1, function (this: unknown, ...args) {
    const shadow = apply(attachShadow, this, args);
    if (shadow.mode === 'open') for (const listener of all) listener(shadow);
    return shadow;
  });
  define(prototype, 'attachShadow', patched);
}
