import { SafeMap } from '../../platform/collections.js';
import type { Contact } from '../../platform/contact.js';
import { apply, getter } from '../../platform/primordials.js';
import { accessor, define, operation, type Method } from '../../platform/properties.js';
import type { AgentPart, DraftOperations, DraftSource } from '../state.js';
import { argumentsMissing } from './interface.js';

const draftMethods = { provideContext: 0, clearContext: 0, registerTool: 1, unregisterTool: 1 };

const userAgentOf = getter<unknown, string>('Navigator', 'userAgent');

/**
 * `navigator.modelContext` of the older drafts, which forwards the current members to `document.modelContext`. Its own
 * operations are a part of what the first contact loads. Until then they run later, and report errors to the window.
 * https://github.com/webmachinelearning/webmcp/blob/main/docs/proposal.md
 */
export function navigatorAttribute(
  contact: Contact<AgentPart>,
  source: DraftSource,
  parent: { readonly prototype: object },
): PropertyDescriptor {
  const { realm, target } = source;
  let draft: DraftOperations | undefined;
  const draftOperation = (name: keyof DraftOperations, required: number): Method =>
    function (...args) {
      if (this !== context) throw new realm.TypeError('Illegal invocation: this is not a ModelContext.');
      if (args.length < required) throw new realm.TypeError(argumentsMissing(required, args));
      contact.make(
        ({ draftOf }) => (draft ??= draftOf(source))[name](...args),
        (error) => realm.window.reportError(error),
      );
    };
  const own = Object.create(parent.prototype) as object;
  for (const [name, required] of Object.entries(draftMethods)) {
    define(own, name, operation(name, required, draftOperation(name as keyof DraftOperations, required)));
  }
  const forwarding = new SafeMap<unknown, Method>();
  const forward = (method: () => unknown): Method => {
    const known = forwarding.get(method) ?? ((...args) => apply(method, target(), args));
    forwarding.set(method, known);
    return known;
  };
  const context = new Proxy(own, {
    get(_, key) {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key) as unknown;
      const value = Reflect.get(target(), key) as unknown;
      // The other functions are values: the constructor, and the listeners of event handler attributes.
      return forwarded.includes(key as string) ? forward(value as () => unknown) : value;
    },
    set: (_, key, value) => Reflect.set(target(), key, value),
  });
  return accessor('modelContext', {
    get() {
      userAgentOf(this); // throws unless this is a Navigator
      contact.make();
      return context;
    },
  });
}

const forwarded = ['getTools', 'executeTool', 'addEventListener', 'removeEventListener', 'dispatchEvent'];
