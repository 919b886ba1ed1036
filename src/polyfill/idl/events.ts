import type { ToolEvent } from '../../webmcp.js';
import { SafeWeakMap } from '../../platform/collections.js';
import { makeInterface } from './interface.js';
import type { Realm } from '../frames/realm.js';
import { domString, isObject, optional } from './web-idl.js';

type ToolEventInterface = new (type: string, init?: { readonly toolName?: string }) => ToolEvent;

/**
 * ToolActivatedEvent or ToolCancelEvent.
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
      toolNames.set(event, (isObject(init) && optional(init, 'toolName', domString)) || '');
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
