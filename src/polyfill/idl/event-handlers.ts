import { apply } from '../../platform/primordials.js';
import { listen, unlisten } from '../../platform/signals.js';
import type { Context } from '../state.js';
import type { InterfaceDefinition } from './interface.js';
import { isObject } from './web-idl.js';

type Attribute = Required<InterfaceDefinition>['attributes'][string];

/**
 * An event handler attribute. `contextBehind` returns the context of a ModelContext object, or throws.
 * https://html.spec.whatwg.org/multipage/webappapis.html#event-handler-idl-attributes
 */
export const handlerAttribute = (type: string, contextBehind: (target: unknown) => Context): Attribute => ({
  get() {
    return contextBehind(this).handlers.get(type)?.handler ?? null;
  },
  set(...args) {
    setHandler(contextBehind(this), type, args[0]);
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
