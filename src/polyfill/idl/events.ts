import { SafeWeakMap } from '../../platform/collections.js';
import { apply } from '../../platform/primordials.js';
import { listen, unlisten } from '../../platform/signals.js';
import type { ToolEvent } from '../../webmcp.js';
import { startUpdating } from '../frames/context.js';
import type { Realm } from '../frames/realm.js';
import type { Context, PolyfillState } from '../state.js';
import { domString, isObject, makeInterface, type Attribute, type Operation } from './web-idl.js';

type ToolEventInterface = new (type: string, init?: { readonly toolName?: string }) => ToolEvent;

/**
 * Creates the interface ToolActivatedEvent or ToolCancelEvent.
 * https://webmachinelearning.github.io/webmcp/#tool-activated-event
 */
export function toolEventInterface(realm: Realm, name: string): ToolEventInterface {
  const toolNames = new SafeWeakMap<object, string>();
  return makeInterface(realm, {
    name,
    parent: realm.Event,
    length: 1,
    construct([type, init], newTarget) {
      const event = Reflect.construct(realm.Event, [type, init], newTarget) as Event;
      const toolName: unknown = isObject(init) ? Reflect.get(init, 'toolName') : undefined;
      toolNames.set(event, toolName === undefined ? '' : domString(toolName));
      return event;
    },
    attributes: {
      toolName: {
        get() {
          const toolName = toolNames.get(this as object);
          if (toolName !== undefined) return toolName;
          throw new realm.TypeError(`Illegal invocation: this is not a ${name}.`);
        },
      },
    },
  });
}

const eventTypes: readonly string[] = ['toolchange', 'toolactivated', 'toolcancel'];

/** Calls `addEventListener` of EventTarget. For a tool event, also describes the tools, so that later changes are events. */
export const addEventListener = ({ EventTarget }: Realm, state: PolyfillState): Operation => ({
  length: 2,
  run(...args) {
    apply(Reflect.get(EventTarget.prototype, 'addEventListener') as () => unknown, this, args);
    if (eventTypes.includes(args[0] as string)) startUpdating(state);
  },
});

/**
 * An event handler attribute. `contextBehind` returns the context of a ModelContext object, or throws a TypeError.
 * https://html.spec.whatwg.org/multipage/webappapis.html#event-handler-idl-attributes
 */
export const handlerAttribute = (type: string, contextBehind: (target: unknown) => Context): Attribute => ({
  get() {
    return contextBehind(this).handlers.get(type)?.handler ?? null;
  },
  set(...args) {
    const context = contextBehind(this);
    setHandler(context, type, args[0]);
    if (isObject(args[0])) startUpdating(context.state);
  },
});

function setHandler({ handlers, target }: Context, type: string, value: unknown): void {
  const entry = handlers.get(type);
  if (!isObject(value)) {
    if (entry) unlisten(target, type, entry.listener);
    handlers.delete(type);
  } else if (entry) {
    entry.handler = value;
  } else {
    const listener = (event: Event): void => {
      const handler = handlers.get(type)?.handler;
      if (typeof handler === 'function' && apply(handler as () => unknown, target, [event]) === false) {
        event.preventDefault();
      }
    };
    handlers.set(type, { handler: value, listener });
    listen(target, type, listener);
  }
}
