import { method } from './primordials.js';
import { withoutPrototype } from './collections.js';

interface ListenOptions extends Omit<AddEventListenerOptions, 'signal'> {
  readonly signal?: AbortSignal | undefined;
}

type Listen = (target: EventTarget, type: string, listener: (event: Event) => void, options?: ListenOptions) => void;

export const listen: Listen = method('EventTarget', 'addEventListener');
export const unlisten: Listen = method('EventTarget', 'removeEventListener');
export const dispatch: (target: EventTarget, event: Event) => boolean = method('EventTarget', 'dispatchEvent');

/** Listens in the capture phase, until a signal aborts. */
export const listenFirst = (
  target: EventTarget,
  type: string,
  listener: (event: Event) => void,
  signal: AbortSignal | undefined,
): void => listen(target, type, listener, withoutPrototype({ capture: true, signal }));

/**
 * Runs steps when a signal aborts, before the page's own listeners. Returns a function that removes the steps.
 * https://dom.spec.whatwg.org/#abortsignal-add
 */
export function onAbort(signal: AbortSignal | undefined, steps: (reason: unknown) => void): () => void {
  if (!signal) return () => undefined;
  const listener = (): void => steps(signal.reason);
  listen(signal, 'abort', listener, withoutPrototype({ capture: true, once: true }));
  return () => unlisten(signal, 'abort', listener, withoutPrototype({ capture: true }));
}
