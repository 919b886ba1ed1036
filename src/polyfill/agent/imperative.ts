import { apply } from '../../platform/primordials.js';
import type { ToolCall } from '../../webmcp.js';
import { Failure } from './outcome.js';
import { isObject } from '../idl/web-idl.js';
import type { Context, Tool } from '../state.js';
import { createClient } from './drafts/client.js';
import { SafeWeakMap } from '../../platform/collections.js';
import { define } from '../../platform/properties.js';
import type { Realm } from '../frames/realm.js';
import type { CheckInput, InputError, Validator } from '../validator.js';

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

/** The compiled schemas. */
const checks = new SafeWeakMap<Tool, Promise<CheckInput>>();

/** Rejects with a DataError if the input violates the schema of the tool. */
async function validateInput(realm: Realm, validator: Validator, tool: Tool, input: object): Promise<undefined> {
  const check = await compiled(realm, validator, tool);
  const errors = await check(input);
  if (errors.length > 0) throw dataError(realm, tool.name, errors);
}

async function compiled(realm: Realm, validator: Validator, tool: Tool): Promise<CheckInput> {
  const check = checks.get(tool) ?? compile(validator, realm.parse(tool.inputSchema) as object, tool.name);
  checks.set(tool, check);
  try {
    return await check;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(`The input of "${tool.name}" cannot be validated, so the tool was not run: ${reason}`, { cause });
  }
}

const compile = async (validator: Validator, schema: object, name: string): Promise<CheckInput> =>
  validator(schema, { name });

/** The message is the JSON of the first error, as the web platform tests propose. `errors` contains all errors. */
function dataError(realm: Realm, tool: string, errors: readonly InputError[]): DOMException {
  const [{ path, reason }] = errors as [InputError, ...InputError[]];
  const error = new realm.DOMException(realm.stringify({ path, reason, schemaPath: `/${reason}`, tool }), 'DataError');
  const value = errors.map(({ path, reason, message }) => ({
    parameter: parameterOf(path),
    code: reason,
    message,
    path,
  }));
  define(error, 'errors', { value, configurable: true });
  return error;
}

const parameterOf = (path: string): string => (path.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
