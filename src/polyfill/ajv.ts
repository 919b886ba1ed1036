import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Validator } from './validator.js';

/** Creates one Ajv per tool, because the schemas of two tools may have the same `$id`. */
async function load(): Promise<Ajv2020> {
  const [{ Ajv2020 }, { default: addFormats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  return ajv;
}

/** Validates input with Ajv, which is loaded at the first call of a tool. */
export const ajvValidator: Validator = async (schema) => {
  const { $schema: _, ...rest } = schema as { readonly $schema?: unknown };
  const validate = compile(await load(), rest);
  return (input) => {
    if (validate(input)) return [];
    return (validate.errors ?? []).map(({ instancePath, keyword, message = keyword, params }) => ({
      path: `${instancePath}${missingPath(params)}`,
      reason: keyword,
      message,
    }));
  };
};

function compile(ajv: Ajv2020, schema: object) {
  try {
    return ajv.compile(schema);
  } catch (cause) {
    if (!(cause instanceof EvalError)) throw cause;
    const message =
      'Ajv generates code from schemas, which the content security policy of this page forbids. Pass a function as ' +
      'apply({validate}): a validator that interprets schemas, or code that Ajv has generated at build time.';
    throw new Error(message, { cause });
  }
}

/** The path segment of a missing required property; empty for other errors. */
const missingPath = ({ missingProperty: name }: { readonly missingProperty?: unknown }): string =>
  typeof name === 'string' ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : '';
