import { queueTask } from '../platform/tasks.js';
import { toolNamePattern } from '../tool-name.js';
import { activeContexts, fire, isActive } from './frames/context.js';
import { isAllowed } from './frames/policy.js';
import type { Realm } from './frames/realm.js';
import type { Context, Tool } from './state.js';

/** Throws if the name or the description of a tool is invalid, in the order of the spec. */
export function checkTool(
  realm: Realm,
  { name, description }: Pick<Tool, 'name' | 'description'>,
  isDuplicate: boolean,
): void {
  const invalid = (message: string): DOMException => new realm.DOMException(message, 'InvalidStateError');
  if (isDuplicate) throw invalid(`Duplicate tool name: "${name}" is registered. Unregister it first.`);
  if (!toolNamePattern.test(name)) {
    throw invalid('Invalid tool name. Use 1 to 128 of the characters A-Z, a-z, 0-9, "_", "-" and ".".');
  }
  if (description === '') throw invalid(`Description is required. Describe "${name}".`);
}

export function addTool(context: Context, tool: Tool): void {
  context.tools.set(tool.name, tool);
  notify(context, tool.exposedTo);
}

/** Removes a tool if it is still registered. Its running calls continue. */
export function removeTool(context: Context, tool: Tool): void {
  if (context.tools.get(tool.name) !== tool) return;
  context.tools.delete(tool.name);
  tool.release?.();
  notify(context, tool.exposedTo);
}

/**
 * Deviates from the spec: all changes of one task dispatch one toolchange.
 * https://webmachinelearning.github.io/webmcp/#notify-documents-of-a-tool-change
 */
export function notify(owner: Context, exposedTo: readonly string[]): void {
  const { state } = owner;
  if (!state.isUsed || !isActive(owner)) return;
  const areAllPending = [...state.contexts.active].every(({ hasPendingChange }) => hasPendingChange);
  if (!areAllPending) for (const context of activeContexts(state)) notifyContext(context);
  state.agent?.crossOrigin?.notify(exposedTo);
}

export function notifyContext(context: Context): void {
  if (context.hasPendingChange || isAllowed(context.state, context.document) !== true) return;
  context.hasPendingChange = true;
  queueTask(() => {
    context.hasPendingChange = false;
    fire(context, new context.realm.Event('toolchange'));
  });
}
