import { SafeMap } from '../../platform/collections.js';
import { apply, getter } from '../../platform/primordials.js';
import { accessor, define } from '../../platform/properties.js';
import { isAborted, onAbort } from '../../platform/signals.js';
import type { ModelContext, ModelContextTool } from '../../webmcp.js';
import type { Global, Realm } from '../frames/realm.js';
import * as dictionaries from '../idl/dictionaries.js';
import { argumentsMissing, makeInterface, type Operation } from '../idl/interface.js';
import * as idl from '../idl/web-idl.js';
import type { Conversion } from '../idl/web-idl.js';
import { checkTool } from '../tools.js';
import { clientInterface } from './client.js';

/** Registers the tools of `navigator.modelContext`: with the polyfill, or with the browser. */
export interface Registrar {
  readonly realm: Realm;
  /** The `document.modelContext` that the other members are forwarded to. */
  readonly target: () => ModelContext;
  /** Throws if the document may not register tools. */
  checkAllowed(): void;
  /** Whether a name is in use by a tool that was not registered through `navigator`. */
  hasOther(name: string): boolean;
  /** Registers a checked tool and returns a function that unregisters it. `onError` runs if the registration fails. */
  add(tool: dictionaries.ToolInit, inputSchema: string, onError: () => void): () => void;
}

const forwardedMethods = {
  getTools: 0,
  executeTool: 1,
  addEventListener: 2,
  removeEventListener: 2,
  dispatchEvent: 1,
} as const;
const handlers = ['ontoolchange', 'ontoolactivated', 'ontoolcancel'] as const;

const userAgentOf = getter<unknown, string>('Navigator', 'userAgent');

/**
 * `navigator.modelContext` of the older drafts, which forwards the current members to `document.modelContext`.
 * https://github.com/webmachinelearning/webmcp/blob/main/docs/proposal.md
 */
export function navigatorAttribute(registrar: Registrar, parent: new () => EventTarget): PropertyDescriptor {
  const { realm, target } = registrar;
  const forward = (name: string, length: number): Operation => ({
    length,
    run(...args) {
      const modelContext = target();
      return apply(Reflect.get(modelContext, name) as () => unknown, modelContext, args);
    },
  });
  const forwardAttribute = (name: (typeof handlers)[number]) => ({
    get: () => target()[name],
    set: (...args: unknown[]) => void (target()[name] = args[0] as null),
  });
  const constructor = makeInterface<{ readonly prototype: object }>(realm, {
    name: 'ModelContext',
    parent,
    operations: {
      ...draftOperations(registrar, (value) => value === context),
      ...Object.fromEntries(Object.entries(forwardedMethods).map(([name, length]) => [name, forward(name, length)])),
    },
    attributes: Object.fromEntries(handlers.map((name) => [name, forwardAttribute(name)])),
  });
  const context = Object.create(constructor.prototype) as object;
  return accessor('modelContext', {
    get() {
      userAgentOf(this); // throws unless this is a Navigator
      return context;
    },
  });
}

function draftOperations(registrar: Registrar, isContext: (value: unknown) => boolean) {
  const { realm } = registrar;
  const tools = new DraftTools(registrar);
  const operation = (
    name: string,
    length: number,
    steps: (conversion: Conversion, args: Arguments) => void,
  ): Operation => ({
    length,
    run(...args) {
      if (!isContext(this)) throw new realm.TypeError('Illegal invocation: this is not a ModelContext.');
      if (args.length < length) throw new realm.TypeError(argumentsMissing(length, args));
      registrar.checkAllowed();
      steps({ realm, operation: name }, args);
    },
  });
  return {
    provideContext: operation('provideContext', 0, (conversion, args) => tools.provide(conversion, args)),
    clearContext: operation('clearContext', 0, () => tools.clear()),
    registerTool: operation('registerTool', 1, (conversion, args) => tools.register(conversion, args)),
    unregisterTool: operation('unregisterTool', 1, (_, args) => tools.unregister(args)),
  };
}

type Arguments = readonly unknown[];

/** The tools that were registered through `navigator`. */
class DraftTools {
  readonly #registrar: Registrar;
  readonly #registrations = new SafeMap<string, () => void>();

  constructor(registrar: Registrar) {
    this.#registrar = registrar;
  }

  provide(conversion: Conversion, args: Arguments): void {
    const tools = providedTools(conversion, args[0]);
    const schemas = tools.map((tool) => this.#check(conversion, tool, true));
    this.clear();
    tools.forEach((tool, index) => this.#add(tool, schemas[index] as string));
  }

  clear(): void {
    for (const remove of [...this.#registrations.values()]) remove();
  }

  register(conversion: Conversion, args: Arguments): void {
    const tool = dictionaries.toolInit(conversion, args[0]);
    const { signal } = dictionaries.registerOptions(conversion, args[1]);
    const schema = this.#check(conversion, tool, false);
    if (!signal || !isAborted(signal)) return this.#add(tool, schema, signal);
    console.warn(`The tool "${tool.name}" was not registered: its signal is aborted.`);
  }

  unregister(args: Arguments): void {
    const name = idl.domString(args[0]);
    const remove = this.#registrations.get(name);
    if (remove) return remove();
    const message = `No tool "${name}" was registered through navigator.modelContext.`;
    throw new this.#registrar.realm.DOMException(message, 'InvalidStateError');
  }

  /** Returns the text of the schema. Throws if the tool is invalid. */
  #check(conversion: Conversion, tool: dictionaries.ToolInit, replaces: boolean): string {
    const isRegistered = this.#registrations.has(tool.name);
    checkTool(this.#registrar.realm, tool, isRegistered ? !replaces : this.#registrar.hasOther(tool.name));
    return dictionaries.schemaText(conversion, tool);
  }

  #add(tool: dictionaries.ToolInit, inputSchema: string, signal?: AbortSignal): void {
    const registrations = this.#registrations;
    const forget = (): void => {
      if (registrations.get(tool.name) === remove) registrations.delete(tool.name);
    };
    const unregister = this.#registrar.add(tool, inputSchema, forget);
    const remove = (): void => {
      forget();
      stopListening();
      unregister();
    };
    const stopListening = onAbort(signal, remove);
    registrations.set(tool.name, remove);
  }
}

/** The tools of a ModelContextOptions. Of tools with the same name, the last one wins. */
function providedTools(conversion: Conversion, value: unknown): readonly dictionaries.ToolInit[] {
  const tools = idl.dictionary(conversion, value, 'ModelContextOptions').optional(
    'tools',
    idl.sequence((tool) => dictionaries.toolInit(conversion, tool)),
  );
  const byName = new SafeMap<string, dictionaries.ToolInit>();
  for (const tool of tools ?? []) byName.set(tool.name, tool);
  return [...byName.values()];
}

/** Registers with the browser's own `document.modelContext`. Later rejections are reported as errors of the page. */
export function nativeRegistrar(realm: Realm, target: () => ModelContext): Registrar {
  const { createClient } = clientInterface(realm);
  return {
    realm,
    target,
    checkAllowed: () => undefined,
    hasOther: () => false,
    add({ name, title, description, annotations, execute }, inputSchema, onError) {
      const controller = new realm.AbortController();
      const tool: ModelContextTool = {
        name,
        title,
        description,
        ...(annotations && { annotations }),
        ...(inputSchema && { inputSchema: realm.parse(inputSchema) as object }),
        execute: (input: unknown, { signal }) => apply(execute, undefined, [input, createClient(signal)]),
      };
      const register = async (): Promise<void> => {
        try {
          await target().registerTool(tool, { signal: controller.signal });
        } catch (error) {
          onError();
          if (!isAborted(controller.signal)) realm.window.reportError(error);
        }
      };
      void register();
      return () => controller.abort();
    },
  };
}

/** Defines the attribute unless the browser does. Returns a function that removes it. */
export function defineNavigator({ Navigator: { prototype } }: Global, descriptor: PropertyDescriptor): () => void {
  if ('modelContext' in prototype) return () => undefined;
  define(prototype, 'modelContext', descriptor);
  return () => Reflect.deleteProperty(prototype, 'modelContext');
}
