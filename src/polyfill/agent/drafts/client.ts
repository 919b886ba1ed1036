import { SafeWeakMap } from '../../../platform/collections.js';
import { apply } from '../../../platform/primordials.js';
import { define } from '../../../platform/properties.js';
import type { Realm } from '../../frames/realm.js';
import { makeInterface } from '../../idl/web-idl.js';

/** Creates the second argument of `execute` in the current and the older drafts. */
type CreateClient = (signal: AbortSignal) => object;

const creators = new SafeWeakMap<Realm, CreateClient>();

/** Defines the interface of the older drafts in the realm at the first call. */
export function createClient(realm: Realm, signal: AbortSignal): object {
  const create = creators.get(realm) ?? clientInterface(realm);
  creators.set(realm, create);
  return create(signal);
}

function clientInterface(realm: Realm): CreateClient {
  const signals = new SafeWeakMap<object, AbortSignal>();
  const interact = (client: unknown, interaction: unknown): unknown => {
    const signal = signals.get(client as object);
    if (!signal) throw new realm.TypeError('Illegal invocation: this is not a ModelContextClient.');
    if (typeof interaction !== 'function') {
      throw new realm.TypeError("Failed to execute 'requestUserInteraction': its argument is not a function.");
    }
    signal.throwIfAborted();
    return apply(interaction as () => unknown, undefined, []);
  };
  const ModelContextClient = makeInterface<{ readonly prototype: object }>(realm, {
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
  return (signal) => {
    const client = Object.create(ModelContextClient.prototype) as object;
    define(client, 'signal', { value: signal, writable: true, enumerable: true, configurable: true });
    signals.set(client, signal);
    return client;
  };
}
