import { apply, getter } from '../platform.js';
import type { ModelContext, ModelContextTool, NavigatorModelContext } from '../webmcp.js';
import { clientOf } from './client.js';
import * as dictionaries from './dictionaries.js';
import { accessor, count, define, makeInterface } from './interface.js';
import type { Global, Interfaces, Realm } from './realm.js';
import { isAborted, onAbort } from './signals.js';
import * as idl from './web-idl.js';
import type { Conversion } from './web-idl.js';

/** Where the tools of `navigator` are registered: with the polyfill, or with the browser. */
export interface Registrar {
  /** Throws if the document may not register tools. */
  checkUse(): void;
  /** Throws what is wrong with a tool. `isTaken` tells of names beyond those of other registrars. */
  check(conversion: Conversion, tool: dictionaries.ToolInit, isTaken: boolean): string;
  /** Whether a name is taken by a tool that was not registered here. */
  isForeign(name: string): boolean;
  /** Registers a tool that was checked; the result unregisters it. */
  add(tool: dictionaries.ToolInit, inputSchema: string): () => void;
}

const forwarded = ['getTools', 'executeTool', 'addEventListener', 'removeEventListener', 'dispatchEvent'] as const;
const handlers = ['ontoolchange', 'ontoolactivated', 'ontoolcancel'] as const;
const userAgentOf = getter<unknown, string>('Navigator', 'userAgent');

/**
 * The older drafts' API: their four methods, and today's other members handed on to `document.modelContext`.
 * https://github.com/webmachinelearning/webmcp/blob/main/docs/proposal.md
 */
export function navigatorAttribute(
  realm: Realm,
  parent: Interfaces['ModelContext'],
  registrar: Registrar,
): PropertyDescriptor {
  const target = (): ModelContext => realm.window.document.modelContext;
  const constructor = makeInterface<{ readonly prototype: object }>(realm, {
    name: 'ModelContext',
    parent,
    operations: { ...draftOperations(realm, registrar), ...forwardedOperations(target) },
    attributes: Object.fromEntries(handlers.map((name) => [name, forwardedAttribute(target, name)])),
  });
  const context = Object.create(constructor.prototype) as NavigatorModelContext;
  return accessor('modelContext', {
    get() {
      userAgentOf(this); // throws unless this is a Navigator
      return context;
    },
  });
}

const forward = (target: ModelContext, name: string, args: readonly unknown[]): unknown =>
  apply(Reflect.get(target, name) as () => unknown, target, args);

const forwardedOperations = (target: () => ModelContext) =>
  Object.fromEntries(
    forwarded.map((name) => [
      name,
      {
        length: name === 'getTools' ? 0 : name === 'executeTool' || name === 'dispatchEvent' ? 1 : 2,
        run: (...args: unknown[]) => forward(target(), name, args),
      },
    ]),
  );

const forwardedAttribute = (target: () => ModelContext, name: (typeof handlers)[number]) => ({
  get: () => target()[name],
  set: (...args: unknown[]) => void (target()[name] = args[0] as null),
});

function draftOperations(realm: Realm, registrar: Registrar) {
  const registered = new Map<string, () => void>();
  const conversionFor = (operation: string, required: number, args: readonly unknown[]): Conversion => {
    if (args.length < required) throw new realm.TypeError(count(required, args));
    registrar.checkUse();
    return { realm, operation };
  };
  const add = (tool: dictionaries.ToolInit, inputSchema: string): (() => void) => {
    const unregister = registrar.add(tool, inputSchema);
    const remove = (): void => {
      if (registered.get(tool.name) === remove) registered.delete(tool.name);
      unregister();
    };
    registered.set(tool.name, remove);
    return remove;
  };
  const clear = (): void => [...registered.values()].forEach((remove) => remove());

  return {
    provideContext: {
      length: 0,
      run(...args: unknown[]): undefined {
        const conversion = conversionFor('provideContext', 0, args);
        const options = idl.dictionary(conversion, args[0], 'ModelContextOptions');
        const given = idl.optional(options, 'tools', (value) =>
          idl.sequence(conversion, value, 'tools', (item) => dictionaries.toolInit(conversion, item)),
        );
        const tools = new Map((given ?? []).map((tool) => [tool.name, tool]));
        const schemas = [...tools.values()].map((tool) =>
          registrar.check(conversion, tool, registrar.isForeign(tool.name)),
        );
        clear();
        [...tools.values()].forEach((tool, index) => add(tool, schemas[index] as string));
      },
    },
    clearContext: {
      length: 0,
      run(...args: unknown[]): undefined {
        conversionFor('clearContext', 0, args);
        clear();
      },
    },
    registerTool: {
      length: 1,
      run(...args: unknown[]): undefined {
        const conversion = conversionFor('registerTool', 1, args);
        const tool = dictionaries.toolInit(conversion, args[0]);
        const { signal } = dictionaries.registerOptions(conversion, args[1]);
        const schema = registrar.check(conversion, tool, registered.has(tool.name) || registrar.isForeign(tool.name));
        if (signal && isAborted(signal)) {
          return console.warn(`The tool "${tool.name}" was not registered: its signal is aborted.`) as undefined;
        }
        onAbort(signal, add(tool, schema));
      },
    },
    unregisterTool: {
      length: 1,
      run(...args: unknown[]): undefined {
        conversionFor('unregisterTool', 1, args);
        const name = idl.domString(args[0]);
        const remove = registered.get(name);
        if (remove) return remove() as undefined;
        const message = `There is no tool "${name}" that was registered through navigator.modelContext.`;
        throw new realm.DOMException(message, 'InvalidStateError');
      },
    },
  };
}

/** Registers with the browser's own `document.modelContext`. What it refuses later is reported as an error of the page. */
export function nativeRegistrar(
  realm: Realm,
  client: Interfaces['ModelContextClient'],
  check: Registrar['check'],
): Registrar {
  return {
    checkUse: () => undefined,
    check,
    isForeign: () => false,
    add({ name, title, description, annotations, execute }, inputSchema) {
      const controller = new realm.AbortController();
      const tool: ModelContextTool = {
        ...{ name, title, description },
        ...(annotations && { annotations }),
        ...(inputSchema && { inputSchema: realm.parse(inputSchema) as object }),
        execute: (input: unknown, { signal }) => apply(execute, undefined, [input, clientOf(client, signal)]),
      };
      realm.window.document.modelContext.registerTool(tool, { signal: controller.signal }).catch((error: unknown) => {
        if (!controller.signal.aborted) realm.window.reportError(error);
      });
      return () => controller.abort();
    },
  };
}

/** Puts the accessor on a window's Navigator.prototype, unless the browser has one; the result takes it away. */
export function defineNavigator(window: Global, descriptor: PropertyDescriptor): () => void {
  const { prototype } = window.Navigator;
  if ('modelContext' in prototype) return () => undefined;
  define(prototype, 'modelContext', descriptor);
  return () => Reflect.deleteProperty(prototype, 'modelContext');
}
