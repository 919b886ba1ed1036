import { SafeWeakMap } from '../../platform/collections.js';
import { apply } from '../../platform/primordials.js';
import { define } from '../../platform/properties.js';
import { isAborted, reasonOf } from '../../platform/signals.js';
import type { Interfaces, Realm } from '../frames/realm.js';
import { makeInterface } from '../idl/interface.js';

/** The interface of the second argument of `execute` in the older drafts. */
export function clientInterface(realm: Realm): Pick<Interfaces, 'ModelContextClient' | 'createClient'> {
  const signals = new SafeWeakMap<object, AbortSignal>();
  const interact = (client: unknown, interaction: unknown): unknown => {
    const signal = signals.get(client as object);
    if (!signal) throw new realm.TypeError('Illegal invocation: this is not a ModelContextClient.');
    if (typeof interaction !== 'function') {
      throw new realm.TypeError("Failed to execute 'requestUserInteraction': its argument is not a function.");
    }
    if (isAborted(signal)) throw reasonOf(signal);
    return apply(interaction as () => unknown, undefined, []);
  };
  const ModelContextClient = makeInterface<Interfaces['ModelContextClient']>(realm, {
    name: 'ModelContextClient',
    operations: {
      requestUserInteraction: {
        length: 1,
        run(...args: unknown[]) {
          return new realm.Promise((resolve) => resolve(interact(this, args[0])));
        },
      },
    },
  });
  const createClient: Interfaces['createClient'] = (signal) => {
    const client = Object.create(ModelContextClient.prototype) as object;
    define(client, 'signal', { value: signal, writable: true, enumerable: true, configurable: true });
    signals.set(client, signal);
    return client;
  };
  return { ModelContextClient, createClient };
}
