import { apply } from '../../platform/primordials.js';
import type { ToolCall } from '../../webmcp.js';
import { Failure } from './outcome.js';
import { isObject } from '../idl/web-idl.js';
import type { Context, Tool } from '../state.js';
import { createClient } from './drafts/client.js';
import { validateInput } from './validate.js';

/** https://webmachinelearning.github.io/webmcp/#imperative-execute-steps */
export async function runCallback(context: Context, tool: Tool, input: object, call: ToolCall): Promise<string> {
  const { realm, state } = context;
  const validator = state.installations.get(realm)?.validator;
  if (validator && tool.inputSchema !== '') await validateInput(realm, validator, tool, input);
  try {
    return resultText(context, await invoke(context, tool.execute as () => unknown, input, call));
  } catch (cause) {
    throw new Failure(failureMessage(tool.name, cause), { cause });
  }
}

/** Deviates from the spec: toolactivated is dispatched after the callback was invoked, as in Chromium. */
function invoke({ realm }: Context, execute: () => unknown, input: object, call: ToolCall): unknown {
  try {
    return apply(execute, undefined, [input, createClient(realm, call.signal)]);
  } finally {
    call.activated();
  }
}

/** Converts a result to a string, as Chromium does. */
function resultText({ realm }: Context, value: unknown): string {
  if (typeof value === 'symbol') throw new realm.TypeError('The result is a symbol. Return another value.');
  if (value === '') return 'Operation succeeded';
  return isObject(value) ? String(realm.stringify(value)) : String(value);
}

function failureMessage(name: string, cause: unknown): string {
  const failed = `The tool "${name}" was executed but the invocation failed`;
  try {
    return `${failed}: ${String(isObject(cause) ? Reflect.get(cause, 'message') : cause)}`;
  } catch {
    return `${failed}.`; // the error has no readable message
  }
}
