import { SafeSet, SafeWeakMap } from './collections.js';
import { onAbort } from './signals.js';

type Listener = (value: never) => void;

const listeners = new SafeWeakMap<object, Set<Listener>>();

/**
 * Adds a listener to a prototype until a signal aborts. The first listener patches the prototype; `patch` receives the
 * function that notifies all listeners.
 */
export function listenToPrototype<Value>(
  prototype: object,
  listener: (value: Value) => void,
  signal: AbortSignal | undefined,
  patch: (notify: (value: Value) => void) => void,
): void {
  const known = listeners.get(prototype) as Set<(value: Value) => void> | undefined;
  const all = known ?? new SafeSet<(value: Value) => void>();
  all.add(listener);
  onAbort(signal, () => all.delete(listener));
  if (known) return;
  listeners.set(prototype, all);
  patch((value) => all.forEach((each) => each(value)));
}
