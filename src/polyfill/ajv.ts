import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Validator } from './validator.js';

/**
 * Creates one Ajv per tool, because the schemas of two tools may have the same `$id`. Schemas may come from third parties, so
 * patterns and references are bounded.
 */
async function load(): Promise<{
  ajv: Ajv2020;
  boundedSchema: typeof import('./schemas/bounded-schema.js').boundedSchema;
}> {
  // In a bundle that esbuild has split, a CommonJS module has only a default export.
  const [{ default: module }, { default: addFormats }, { boundedSchema, SchemaPattern }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    import('./schemas/bounded-schema.js'),
  ]);
  const regExp = Object.assign((pattern: string) => new SchemaPattern(pattern), { code: 'SchemaPattern' });
  const ajv = new module.Ajv2020({ allErrors: true, strict: false, logger: false, code: { regExp } });
  addFormats.default(ajv);
  return { ajv, boundedSchema };
}

/** Validates input with Ajv, which is loaded at the first call of a tool. */
export const ajvValidator: Validator = async (schema, { name }) => {
  const { ajv, boundedSchema } = await load();
  const warn = (reason: string): void =>
    console.warn(`The input of the tool "${name}" is validated in part: ${reason}.`);
  const validate = compile(ajv, boundedSchema(schema, warn));
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
