import { SafeWeakMap } from '../platform/collections.js';
import type { Context } from './frames/context.js';
import { Failure } from './calls.js';
import { define } from '../platform/properties.js';
import type { Realm } from './frames/realm.js';

/** One thing that is wrong with an input. */
export interface InputError {
  /** A JSON Pointer into the input, such as "/year". */
  readonly path: string;
  /** The schema keyword that is not met, such as "required". */
  readonly reason: string;
  /** For people and agents, such as "must be integer". */
  readonly message: string;
}

/** Says what is wrong with an input; an empty list if it is valid. */
export type CheckInput = (input: object) => readonly InputError[] | PromiseLike<readonly InputError[]>;

/** Makes the check of one tool from its schema (a copy). Throws if the schema is unusable. */
export type Validator = (schema: object, tool: { readonly name: string }) => CheckInput | PromiseLike<CheckInput>;

/** A tool that can be checked. `inputSchema` is JSON text, empty if there is none. */
export interface Checkable {
  readonly name: string;
  readonly inputSchema: string;
}

const validators = new SafeWeakMap<Realm, Validator>();
const checks = new SafeWeakMap<Checkable, Promise<CheckInput>>();

export function useValidator(realm: Realm, validator: Validator | undefined): void {
  if (validator) validators.set(realm, validator);
}

/** The validator of the tools of a document, if it has one. */
export const validatorOf = ({ realm }: Context): Validator | undefined => validators.get(realm);

/** Rejects with a DataError if the input does not fit the schema of the tool. */
export async function checkInput(
  context: Context,
  validator: Validator,
  tool: Checkable,
  input: object,
): Promise<undefined> {
  const errors = await (await compiled(context, validator, tool))(input);
  if (errors.length > 0) throw dataError(context, tool, errors);
}

async function compiled({ realm }: Context, validator: Validator, tool: Checkable): Promise<CheckInput> {
  let check = checks.get(tool);
  if (!check) {
    check = make(validator, realm.parse(tool.inputSchema) as object, tool.name);
    checks.set(tool, check);
  }
  try {
    return await check;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(`The input of "${tool.name}" cannot be checked, so it was not run: ${reason}`, { cause });
  }
}

const make = async (validator: Validator, schema: object, name: string): Promise<CheckInput> =>
  validator(schema, { name });

/** The message is the JSON of the first error, as the web platform tests propose; `errors` has them all. */
function dataError({ realm }: Context, { name }: Checkable, errors: readonly InputError[]): DOMException {
  const [{ path, reason }] = errors as [InputError, ...InputError[]];
  const message = realm.stringify({ path, reason, schemaPath: `/${reason}`, tool: name });
  const error = new realm.DOMException(message, 'DataError');
  define(error, 'errors', {
    value: errors.map((each) => ({
      parameter: parameterOf(each.path),
      code: each.reason,
      message: each.message,
      path: each.path,
    })),
    configurable: true,
  });
  return error;
}

const parameterOf = (path: string): string => (path.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
