import { apply } from '../../platform/primordials.js';
import { SafeWeakMap } from '../../platform/collections.js';
import { define } from '../../platform/properties.js';
import { makeInterface } from '../idl/interface.js';
import type { Interfaces, Realm } from '../frames/realm.js';
import { isAborted, reasonOf } from '../../platform/signals.js';

const signals = new SafeWeakMap<object, AbortSignal>();

/** The older drafts' client: the prototype of the second argument of `execute`. */
export const clientInterface = (realm: Realm): Interfaces['ModelContextClient'] =>
  makeInterface(realm, {
    name: 'ModelContextClient',
    operations: {
      requestUserInteraction: {
        length: 1,
        run(...args: unknown[]) {
          return new realm.Promise((resolve) => resolve(interact(realm, this, args[0])));
        },
      },
    },
  });

function interact(realm: Realm, client: unknown, interaction: unknown): unknown {
  const signal = signals.get(client as object);
  if (!signal) throw new realm.TypeError('Illegal invocation: this is no ModelContextClient.');
  if (typeof interaction !== 'function') {
    throw new realm.TypeError("Failed to execute 'requestUserInteraction': its argument is not a function.");
  }
  if (isAborted(signal)) throw reasonOf(signal);
  return apply(interaction as () => unknown, undefined, []);
}

/** What `execute` gets as its second argument. */
export function clientOf(client: Interfaces['ModelContextClient'], signal: AbortSignal): object {
  const object = Object.create(client.prototype) as object;
  define(object, 'signal', { value: signal, writable: true, enumerable: true, configurable: true });
  signals.set(object, signal);
  return object;
}
