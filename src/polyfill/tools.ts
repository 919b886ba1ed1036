import { matches } from '../platform/collections.js';
import { activeContexts, fire, isAnyUntold, isActive, type Context, type Tool } from './frames/context.js';
import { others } from './cross-origin/channel.js';
import { isAllowed } from './frames/policy.js';
import type { Realm } from './frames/realm.js';
import { queueTask } from '../platform/tasks.js';

type Checked = Pick<Tool, 'name' | 'description'>;

/** Throws what is wrong with the name and the description of a tool, in the order of the spec. */
export function checkTool(realm: Realm, { name, description }: Checked, isTaken: boolean): void {
  const invalid = (message: string): DOMException => new realm.DOMException(message, 'InvalidStateError');
  if (isTaken) throw invalid(`Duplicate tool name: "${name}" is registered. Unregister it first.`);
  if (!matches(/^[\w.-]{1,128}$/, name)) {
    throw invalid('Invalid tool name: it takes 1 to 128 of A-Z, a-z, 0-9, "_", "-" and ".".');
  }
  if (description === '') throw invalid(`Description is required: say what "${name}" does.`);
}

/** Adds a tool that was checked, and tells all that may see it. */
export function addTool(context: Context, tool: Tool): void {
  context.tools.set(tool.name, tool);
  notify(context, tool.exposedTo);
}

/** Removes a tool, unless it is gone or its name is another's now. Calls that run go on. */
export function removeTool(context: Context, tool: Tool): void {
  if (context.tools.get(tool.name) !== tool) return;
  context.tools.delete(tool.name);
  tool.release?.();
  notify(context, tool.exposedTo);
}

/**
 * Deviates from the spec: the changes of one task give one toolchange.
 * https://webmachinelearning.github.io/webmcp/#notify-documents-of-a-tool-change
 */
export function notify(owner: Context, exposedTo: readonly string[]): void {
  if (!isActive(owner)) return;
  if (isAnyUntold()) for (const context of activeContexts()) notifyContext(context);
  others().changed(exposedTo);
}

export function notifyContext(context: Context): void {
  if (context.changing || isAllowed(context) !== true) return;
  context.changing = true;
  queueTask(() => {
    context.changing = false;
    fire(context, new context.realm.Event('toolchange'));
  });
}

/** https://webmachinelearning.github.io/webmcp/#tool-is-exposed-to-an-origin */
export const isExposed = ({ exposedTo }: Tool, own: string, origin: string): boolean =>
  origin !== 'null' && (origin === own || exposedTo.includes(origin));
