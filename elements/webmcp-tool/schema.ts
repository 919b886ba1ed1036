import { declaredSchema, ignoreParams, isPlain } from '../../src/compiler/declared-tool.js';
import { reader } from './params.js';
import { error, type Tell } from './problems.js';

const code = 'invalid-schema';

/** The schema of a tool without a form: its property's, its script's, or what its parameters declare. */
export function inputSchemaOf(tool: Element, given: unknown, tell: Tell): object | undefined {
  if (given === undefined) return declaredSchema(reader, tool, tell);
  ignoreParams(reader, tool, 'the property inputSchema', tell);
  return schemaOfProperty(given, tell);
}

/** A copy, so that what a script changes in it later is not half a change of the tool. */
function schemaOfProperty(given: unknown, tell: Tell): object | undefined {
  try {
    const copy: unknown = isPlain(given) && JSON.parse(JSON.stringify(given));
    if (isPlain(copy)) return copy;
    tell(error(code, 'The property inputSchema is no object: set a JSON Schema, or undefined for none.'));
  } catch (cause) {
    tell(error(code, `The property inputSchema cannot be written as JSON: ${String(cause)}.`));
  }
  return undefined;
}
