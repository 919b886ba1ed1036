import { apply, getter } from '../../platform/primordials.js';
import type { ModelContext, ModelContextTool, NavigatorModelContext } from '../../webmcp.js';
import { SafeMap, SafeWeakMap } from '../../platform/collections.js';
import { clientInterface, clientOf } from './client.js';
import * as dictionaries from '../idl/dictionaries.js';
import { accessor, define } from '../../platform/properties.js';
import { count, makeInterface, type InterfaceDefinition } from '../idl/interface.js';
import type { Global, Interfaces, Realm } from '../frames/realm.js';
import { isAborted, onAbort } from '../../platform/signals.js';
import { checkTool } from '../tools.js';
import * as idl from '../idl/web-idl.js';
import type { Conversion } from '../idl/web-idl.js';

/** Where the tools of `navigator` are registered: with the polyfill, or with the browser. */
export interface Registrar {
  /** Throws if the document may not register tools. */
  checkUse(): void;
  /** Throws what is wrong with a tool. `isTaken` tells of names beyond those of other registrars. */
  check(conversion: Conversion, tool: dictionaries.ToolInit, isTaken: boolean): string;
  /** Whether a name is taken by a tool that was not registered here. */
  isForeign(name: string): boolean;
  /** Registers a tool that was checked; the result unregisters it. `refused` runs if that fails after all. */
  add(tool: dictionaries.ToolInit, inputSchema: string, refused: () => void): () => void;
}

const forwarded = ['getTools', 'executeTool', 'addEventListener', 'removeEventListener', 'dispatchEvent'] as const;
const handlers = ['ontoolchange', 'ontoolactivated', 'ontoolcancel'] as const;
type Operation = Required<InterfaceDefinition>['operations'][string];

const contexts = new SafeWeakMap<object, true>();
const userAgentOf = getter<unknown, string>('Navigator', 'userAgent');

/**
 * The older drafts' API: their four methods, and today's other members handed on to `document.modelContext`.
 * https://github.com/webmachinelearning/webmcp/blob/main/docs/proposal.md
 */
export function navigatorAttribute(
  realm: Realm,
  parent: Interfaces['ModelContext'],
  target: () => ModelContext,
  registrar: Registrar,
): PropertyDescriptor {
  const constructor = makeInterface<{ readonly prototype: object }>(realm, {
    name: 'ModelContext',
    parent,
    operations: { ...draftOperations(realm, registrar), ...forwardedOperations(target) },
    attributes: Object.fromEntries(handlers.map((name) => [name, forwardedAttribute(target, name)])),
  });
  const context = Object.create(constructor.prototype) as NavigatorModelContext;
  contexts.set(context, true);
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

/** The tools that were registered through one `navigator`, by name, with what unregisters each. */
type Registered = SafeMap<string, () => void>;

function draftOperations(realm: Realm, registrar: Registrar) {
  const registered: Registered = new SafeMap();
  const isForeign = (name: string): boolean => !registered.has(name) && registrar.isForeign(name);
  const operation = (
    name: string,
    length: number,
    steps: (conversion: Conversion, args: readonly unknown[]) => void,
  ): Operation => ({
    length,
    run(...args) {
      if (!contexts.has(this as object)) throw new realm.TypeError('Illegal invocation: this is no ModelContext.');
      if (args.length < length) throw new realm.TypeError(count(length, args));
      registrar.checkUse();
      steps({ realm, operation: name }, args);
    },
  });

  return {
    provideContext: operation('provideContext', 0, (conversion, args) => {
      const tools = toolsOf(conversion, args[0]);
      const schemas = tools.map((tool) => registrar.check(conversion, tool, isForeign(tool.name)));
      clear(registered);
      tools.forEach((tool, index) => add(registered, registrar, tool, schemas[index] as string));
    }),
    clearContext: operation('clearContext', 0, () => clear(registered)),
    registerTool: operation('registerTool', 1, (conversion, args) => {
      const tool = dictionaries.toolInit(conversion, args[0]);
      const { signal } = dictionaries.registerOptions(conversion, args[1]);
      const schema = registrar.check(conversion, tool, registered.has(tool.name) || isForeign(tool.name));
      if (signal && isAborted(signal)) {
        console.warn(`The tool "${tool.name}" was not registered: its signal is aborted.`);
      } else {
        add(registered, registrar, tool, schema, signal);
      }
    }),
    unregisterTool: operation('unregisterTool', 1, (_, args) => {
      const name = idl.domString(args[0]);
      const remove = registered.get(name);
      if (remove) return remove();
      const message = `There is no tool "${name}" that was registered through navigator.modelContext.`;
      throw new realm.DOMException(message, 'InvalidStateError');
    }),
  };
}

/** The tools that provideContext was given. Of one name, the last. */
function toolsOf(conversion: Conversion, value: unknown): readonly dictionaries.ToolInit[] {
  const options = idl.dictionary(conversion, value, 'ModelContextOptions');
  const given = idl.optional(options, 'tools', (tools) =>
    idl.sequence(conversion, tools, 'tools', (tool) => dictionaries.toolInit(conversion, tool)),
  );
  const byName = new SafeMap<string, dictionaries.ToolInit>();
  for (const tool of given ?? []) byName.set(tool.name, tool);
  return [...byName.values()];
}

function add(
  registered: Registered,
  registrar: Registrar,
  tool: dictionaries.ToolInit,
  inputSchema: string,
  signal?: AbortSignal,
): void {
  const forget = (): void => void (registered.get(tool.name) === remove && registered.delete(tool.name));
  const unregister = registrar.add(tool, inputSchema, forget);
  const remove = (): void => {
    forget();
    release();
    unregister();
  };
  const release = onAbort(signal, remove);
  registered.set(tool.name, remove);
}

const clear = (registered: Registered): void => [...registered.values()].forEach((remove) => remove());

/** Registers with the browser's own `document.modelContext`. What it refuses later is reported as an error of the page. */
export function nativeRegistrar(realm: Realm, target: () => ModelContext): Registrar {
  const client = clientInterface(realm);
  return {
    checkUse: () => undefined,
    check(conversion, tool, isTaken) {
      checkTool(realm, tool, isTaken);
      return dictionaries.schemaText(conversion, tool);
    },
    isForeign: () => false,
    add({ name, title, description, annotations, execute }, inputSchema, refused) {
      const controller = new realm.AbortController();
      const tool: ModelContextTool = {
        ...{ name, title, description },
        ...(annotations && { annotations }),
        ...(inputSchema && { inputSchema: realm.parse(inputSchema) as object }),
        execute: (input: unknown, { signal }) => apply(execute, undefined, [input, clientOf(client, signal)]),
      };
      const run = (): Promise<unknown> => target().registerTool(tool, { signal: controller.signal });
      void ifRefused(run, (error) => {
        refused();
        if (!isAborted(controller.signal)) realm.window.reportError(error);
      });
      return () => controller.abort();
    },
  };
}

async function ifRefused(run: () => Promise<unknown>, refused: (error: unknown) => void): Promise<void> {
  try {
    await run();
  } catch (error) {
    refused(error);
  }
}

/** Puts the accessor on a window's Navigator.prototype, unless the browser has one; the result takes it away. */
export function defineNavigator(window: Global, descriptor: PropertyDescriptor): () => void {
  const { prototype } = window.Navigator;
  if ('modelContext' in prototype) return () => undefined;
  define(prototype, 'modelContext', descriptor);
  return () => Reflect.deleteProperty(prototype, 'modelContext');
}
