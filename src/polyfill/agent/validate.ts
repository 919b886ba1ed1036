import { SafeWeakMap } from '../../platform/collections.js';
import { define } from '../../platform/properties.js';
import { Failure } from './outcome.js';
import type { Realm } from '../frames/realm.js';
import type { Tool } from '../state.js';
import type { CheckInput, InputError, Validator } from '../validator.js';

/** The compiled schemas. */
const checks = new SafeWeakMap<Tool, Promise<CheckInput>>();

/** Rejects with a DataError if the input violates the schema of the tool. */
export async function validateInput(realm: Realm, validator: Validator, tool: Tool, input: object): Promise<undefined> {
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
