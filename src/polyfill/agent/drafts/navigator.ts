import { SafeMap } from '../../../platform/collections.js';
import { apply } from '../../../platform/primordials.js';
import { onAbort } from '../../../platform/signals.js';
import type { ModelContext, ModelContextTool } from '../../../webmcp.js';
import { checkActive, isAllowed } from '../../frames/policy.js';
import type { Realm } from '../../frames/realm.js';
import * as dictionaries from '../../idl/dictionaries.js';
import * as idl from '../../idl/web-idl.js';
import type { Conversion } from '../../idl/web-idl.js';
import type { Context, DraftOperations, DraftSource, Tool } from '../../state.js';
import { addTool, checkTool, removeTool } from '../../tools.js';
import { checkNotDenied } from '../permission.js';
import { createClient } from './client.js';

/** Registers tools with the polyfill, or with the browser. */
interface Registrar {
  readonly realm: Realm;
  /** Throws if the document may not register tools. Undefined if `add` checks it. */
  checkAllowed?(): void;
  /** Whether a name is in use by a tool that was not registered through `navigator`. */
  hasOther(name: string): boolean;
  /** Registers a checked tool and returns a function that unregisters it. `onError` runs if the registration fails. */
  add(tool: dictionaries.ToolInit, inputSchema: string, onError: () => void): () => void;
}

/** The operations of `navigator.modelContext` in the older drafts. */
export function draftOf({ realm, target, context }: DraftSource): DraftOperations {
  const registrar = context ? polyfillRegistrar(realm, context) : nativeRegistrar(realm, target as () => ModelContext);
  const tools = new DraftTools(registrar);
  const operation =
    (name: string, steps: (conversion: Conversion, args: Arguments) => void) =>
    (...args: Arguments): void => {
      registrar.checkAllowed?.();
      steps({ realm, operation: name }, args);
    };
  return {
    provideContext: operation('provideContext', (conversion, args) => tools.provide(conversion, args)),
    clearContext: operation('clearContext', () => tools.clear()),
    registerTool: operation('registerTool', (conversion, args) => tools.register(conversion, args)),
    unregisterTool: operation('unregisterTool', (_, args) => tools.unregister(args)),
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
    if (!signal?.aborted) return this.#add(tool, schema, signal);
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
  return [...new SafeMap(tools?.map((tool) => [tool.name, tool])).values()];
}

function polyfillRegistrar(realm: Realm, current: () => Context): Registrar {
  return {
    realm,
    checkAllowed() {
      const context = current();
      checkActive(context);
      checkNotDenied(context, isAllowed(context.state, context.document));
    },
    hasOther: (name) => current().tools.has(name),
    add(init, inputSchema) {
      const context = current();
      const tool: Tool = { ...init, inputSchema, exposedTo: [] };
      addTool(context, tool);
      return () => removeTool(context, tool);
    },
  };
}

/** Registers with the browser's own `document.modelContext`. Later rejections are reported as errors of the page. */
function nativeRegistrar(realm: Realm, target: () => ModelContext): Registrar {
  return {
    realm,
    hasOther: () => false,
    add({ name, title, description, annotations, execute }, inputSchema, onError) {
      const controller = new realm.AbortController();
      const tool: ModelContextTool = {
        name,
        title,
        description,
        ...(annotations && { annotations }),
        ...(inputSchema && { inputSchema: realm.parse(inputSchema) as object }),
        execute: (input: unknown, { signal }) => apply(execute, undefined, [input, createClient(realm, signal)]),
      };
      const register = async (): Promise<void> => {
        try {
          await target().registerTool(tool, { signal: controller.signal });
        } catch (error) {
          onError();
          if (!controller.signal.aborted) realm.window.reportError(error);
        }
      };
      void register();
      return () => controller.abort();
    },
  };
}
