import { SafeMap } from '../platform/collections.js';
import { onAbort } from '../platform/signals.js';
import type { HostedTool, RunTool, ToolHost } from '../webmcp.js';
import type { Context, Tool } from './state.js';
import { addTool, notify, removeTool } from './tools.js';

/** The host of a document's live forms. Unlike `registerTool`, it only checks that names are unique. */
export function toolHost(context: Context): ToolHost {
  const { tools } = context;
  const added = new SafeMap<string, Tool>();
  const hosted = ({ name, title, description, inputSchema, annotations }: HostedTool, run: RunTool): Tool => ({
    name,
    title,
    description,
    inputSchema: context.state.realm.stringify(inputSchema) as string,
    annotations,
    exposedTo: [],
    run,
  });
  return {
    add(definition, run) {
      if (tools.has(definition.name)) return false;
      const tool = hosted(definition, run);
      added.set(tool.name, tool);
      addTool(context, tool);
      return true;
    },
    update(name, definition) {
      const old = added.get(name);
      const isRenamed = definition.name !== name;
      if (!old || (isRenamed && tools.has(definition.name))) return false;
      const tool = hosted(definition, old.run);
      if (isRenamed) tools.delete(name);
      added.delete(name);
      added.set(tool.name, tool);
      tools.set(tool.name, tool);
      notify(context, []);
      return true;
    },
    remove(name) {
      const tool = added.get(name);
      added.delete(name);
      if (tool) removeTool(context, tool);
    },
    onBeforeRead(steps, signal) {
      context.beforeRead.add(steps);
      onAbort(signal, () => context.beforeRead.delete(steps));
    },
  };
}
