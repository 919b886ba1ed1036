import { withoutPrototype } from '../../platform/collections.js';
import { apply } from '../../platform/primordials.js';
import type { PolyfillState } from '../state.js';
import { visitFrames } from './realm.js';

/* The messages between the copies of this script in windows of other origins. agent/cross-origin/protocol.ts describes them. */

export const messageKey = 'webmcp-forms';

type WindowMessage =
  | { readonly [messageKey]: 'here' }
  | { readonly [messageKey]: 'wait'; readonly greeting: string }
  | { readonly [messageKey]: 'hello' | 'welcome'; readonly greeting: string; readonly document: string };

/** In WebKit, the source of a message is the window whose function is called, so this script calls its own `postMessage`. */
const ownPostMessage = globalThis.postMessage as (() => void) | undefined;

export const post = (window: Window, message: WindowMessage, options: WindowPostMessageOptions): void =>
  apply(ownPostMessage as () => void, window, [message, withoutPrototype(options)]);

/** Reads an own property of a message. */
export const field = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null && Object.hasOwn(data, name) ? Reflect.get(data, name) : undefined;

/** Announces this script to the other windows of the frame tree. Copies that have loaded the agent script send `hello`. */
export function announce({ realm: { window } }: PolyfillState): void {
  visitFrames(window.top as Window, (each) => {
    if (each !== window) post(each, { [messageKey]: 'here' }, { targetOrigin: '*' });
  });
}

/** Passes messages of other copies to the agent script, which the first `hello` loads. */
export function receiveFirst(state: PolyfillState, event: MessageEvent<unknown>): void {
  const { data, source } = event;
  const kind = field(data, messageKey);
  const greeting = field(data, 'greeting');
  if (typeof kind !== 'string') return;
  event.stopImmediatePropagation();
  if (state.agent) return state.agent.crossOrigin?.receive(event);
  if (kind !== 'hello' || typeof greeting !== 'string' || !isWindowOf(state, source)) return;
  post(source, { [messageKey]: 'wait', greeting }, { targetOrigin: '*' });
  state.withAgent((agent) => agent.crossOrigin?.receive(event));
}

/** Whether a message is from another window of the frame tree. */
export function isWindowOf({ realm: { window } }: PolyfillState, source: MessageEventSource | null): source is Window {
  return source !== null && source !== window && Reflect.get(source, 'top') === window.top;
}
