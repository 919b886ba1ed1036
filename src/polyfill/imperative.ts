import { apply } from '../platform/primordials.js';
import type { ToolCall } from '../webmcp.js';
import { Failure } from './calls.js';
import type { Context } from './frames/context.js';
import { clientOf } from './drafts/client.js';
import type { ToolInit } from './idl/dictionaries.js';
import { checkInput, validatorOf, type Checkable } from './validate.js';
import { isObject } from './idl/web-idl.js';

/**
 * Runs the callback of a tool.
 * https://webmachinelearning.github.io/webmcp/#imperative-execute-steps
 */
export async function runCallback(
  context: Context,
  tool: Checkable & Pick<ToolInit, 'execute'>,
  input: object,
  call: ToolCall,
): Promise<string> {
  const validator = validatorOf(context);
  if (validator && tool.inputSchema !== '') await checkInput(context, validator, tool, input);
  try {
    return resultText(context, await invoke(context, tool.execute, input, call));
  } catch (cause) {
    throw new Failure(failureMessage(tool.name, cause), { cause });
  }
}

/** Deviates from the spec: toolactivated comes after the callback was invoked, as in Chromium. */
function invoke(context: Context, execute: () => unknown, input: object, call: ToolCall): unknown {
  try {
    return apply(execute, undefined, [input, clientOf(context.interfaces.ModelContextClient, call.signal)]);
  } finally {
    call.activated();
  }
}

/** A result as a string, as Chromium makes it. */
function resultText({ realm }: Context, value: unknown): string {
  if (typeof value === 'symbol') throw new realm.TypeError('A Symbol cannot be a result.');
  if (value === '') return 'Operation succeeded';
  return isObject(value) ? String(realm.stringify(value)) : String(value);
}

function failureMessage(name: string, cause: unknown): string {
  const general = `The tool "${name}" was executed but the invocation failed`;
  try {
    const reason = isObject(cause) ? String(Reflect.get(cause, 'message')) : String(cause);
    return `${general}: ${reason}`;
  } catch {
    return `${general}.`; // an error whose message cannot be read
  }
}
