import { apply } from '../../platform/primordials.js';
import { contextBehind, type Context } from '../frames/context.js';
import type { InterfaceDefinition } from './interface.js';
import type { Realm } from '../frames/realm.js';
import { listen, unlisten } from '../../platform/signals.js';
import { isObject } from './web-idl.js';

type Attribute = Required<InterfaceDefinition>['attributes'][string];

/** https://html.spec.whatwg.org/multipage/webappapis.html#event-handler-idl-attributes */
export function handlerAttribute(realm: Realm, type: string): Attribute {
  const known = (target: unknown): Context => {
    const context = contextBehind(target);
    if (context) return context;
    throw new realm.TypeError('Illegal invocation: this is no ModelContext.');
  };
  return {
    get() {
      return known(this).handlers.get(type)?.handler ?? null;
    },
    set(...args) {
      setHandler(known(this), type, args[0]);
    },
  };
}

function setHandler(context: Context, type: string, value: unknown): void {
  const { handlers, target } = context;
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
