import { apply } from '../platform/primordials.js';
import type { ToolCall } from '../webmcp.js';
import { Failure } from './calls.js';
import type { ToolInit } from './idl/dictionaries.js';
import { isObject } from './idl/web-idl.js';
import type { Context, Tool } from './state.js';
import { validateInput, type ValidatedTool } from './validate.js';

type Callback = ValidatedTool & Pick<ToolInit, 'execute'>;

export function imperativeTool(
  context: Context,
  { name, title, description, annotations, execute }: ToolInit,
  inputSchema: string,
  exposedTo: readonly string[],
): Tool {
  const callback: Callback = { name, inputSchema, execute };
  const run: Tool['run'] = (input, call) => runCallback(context, callback, input, call);
  return { name, title, description, inputSchema, annotations, exposedTo, run };
}

/** https://webmachinelearning.github.io/webmcp/#imperative-execute-steps */
async function runCallback(context: Context, callback: Callback, input: object, call: ToolCall): Promise<string> {
  const { realm, state } = context;
  const validator = state.installations.get(realm)?.validator;
  if (validator && callback.inputSchema !== '') await validateInput(realm, validator, callback, input);
  try {
    return resultText(context, await invoke(context, callback.execute, input, call));
  } catch (cause) {
    throw new Failure(failureMessage(callback.name, cause), { cause });
  }
}

/** Deviates from the spec: toolactivated is dispatched after the callback was invoked, as in Chromium. */
function invoke({ interfaces }: Context, execute: () => unknown, input: object, call: ToolCall): unknown {
  try {
    return apply(execute, undefined, [input, interfaces.createClient(call.signal)]);
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
