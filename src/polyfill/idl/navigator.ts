import type { LazyPart } from '../../platform/lazy-part.js';
import { apply, getter } from '../../platform/primordials.js';
import { accessor, define, operation, type Method } from '../../platform/properties.js';
import type { AgentPart, DraftOperations, DraftSource } from '../state.js';
import { argumentsMissing } from './web-idl.js';

const draftMethods = { provideContext: 0, clearContext: 0, registerTool: 1, unregisterTool: 1 };

const userAgentOf = getter<unknown, string>('Navigator', 'userAgent');

/**
 * `navigator.modelContext` of the older drafts, which forwards the current members to `document.modelContext`. The
 * operations that only the drafts have are in the agent script. Calls before that script is loaded run later, and report
 * errors to the window.
 * https://github.com/webmachinelearning/webmcp/blob/main/docs/proposal.md
 */
export function navigatorAttribute(
  lazyAgent: LazyPart<AgentPart>,
  source: DraftSource,
  parent: { readonly prototype: object },
): PropertyDescriptor {
  const { realm, target } = source;
  let draft: DraftOperations | undefined;
  const draftOperation = (name: keyof DraftOperations, required: number): Method =>
    function (...args) {
      if (this !== context) throw new realm.TypeError('Illegal invocation: this is not a ModelContext.');
      if (args.length < required) throw new realm.TypeError(argumentsMissing(required, args));
      lazyAgent.use(
        ({ draftOf }) => (draft ??= draftOf(source))[name](...args),
        (error) => realm.window.reportError(error),
      );
    };
  const own = Object.create(parent.prototype) as object;
  for (const [name, required] of Object.entries(draftMethods)) {
    define(own, name, operation(name, required, draftOperation(name as keyof DraftOperations, required)));
  }
  for (const name of forwarded) {
    const forward: Method = (...args) => apply(Reflect.get(target(), name) as () => unknown, target(), args);
    define(own, name, operation(name, 0, forward));
  }
  const context = new Proxy(own, {
    get: (_, key) => Reflect.get(Object.hasOwn(own, key) ? own : target(), key) as unknown,
    set: (_, key, value) => Reflect.set(target(), key, value),
  });
  return accessor('modelContext', {
    get() {
      userAgentOf(this); // throws unless this is a Navigator
      lazyAgent.use();
      return context;
    },
  });
}

const forwarded = ['getTools', 'executeTool', 'addEventListener', 'removeEventListener', 'dispatchEvent'];
