import { SafeMap } from '../platform/collections.js';
import { onAbort } from '../platform/signals.js';
import type { HostedTool, RunTool, ToolHost } from '../webmcp.js';
import type { Realm } from './frames/realm.js';
import type { Context, Tool } from './state.js';
import { addTool, notify, removeTool } from './tools.js';

/** The host of a document's live forms. Unlike `registerTool`, it only checks that names are unique. */
export class DocumentToolHost implements ToolHost {
  readonly #context: Context;
  readonly #added = new SafeMap<string, Tool>();

  constructor(context: Context) {
    this.#context = context;
  }

  add(definition: HostedTool, run: RunTool): boolean {
    if (this.#context.tools.has(definition.name)) return false;
    const tool = formTool(this.#context.realm, definition, run);
    this.#added.set(tool.name, tool);
    addTool(this.#context, tool);
    return true;
  }

  update(name: string, definition: HostedTool): boolean {
    const { tools } = this.#context;
    const old = this.#added.get(name);
    const isRenamed = definition.name !== name;
    if (!old || (isRenamed && tools.has(definition.name))) return false;
    const tool = formTool(this.#context.realm, definition, old.run as RunTool);
    if (isRenamed) tools.delete(name);
    this.#added.delete(name);
    this.#added.set(tool.name, tool);
    tools.set(tool.name, tool);
    notify(this.#context, []);
    return true;
  }

  remove(name: string): void {
    const tool = this.#added.get(name);
    this.#added.delete(name);
    if (tool) removeTool(this.#context, tool);
  }

  onBeforeRead(steps: (called?: string | null) => void, signal?: AbortSignal): void {
    const { beforeRead } = this.#context;
    beforeRead.add(steps);
    onAbort(signal, () => beforeRead.delete(steps));
  }

  onFirstUse(steps: () => void | Promise<void>, signal?: AbortSignal): void {
    const context = this.#context;
    const { lazyAgent } = context.state;
    onAbort(
      signal,
      lazyAgent.onLoad(({ waitFor }, loading) => waitFor(context, steps, loading)),
    );
  }
}

/** The tool of a form. Its prototype is its definition, which may be completed before it is read. */
function formTool({ stringify }: Realm, definition: HostedTool, run: RunTool): Tool {
  let text: string | undefined;
  const own = {
    exposedTo: [],
    run,
    get inputSchema(): string {
      return (text ??= stringify(definition.inputSchema) as string);
    },
  };
  return Object.setPrototypeOf(own, definition) as Tool;
}
