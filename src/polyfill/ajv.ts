import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Validator } from './validate.js';

/** An Ajv of its own for each tool: the schemas of two tools may have one `$id`. */
async function load(): Promise<Ajv2020> {
  const [{ Ajv2020 }, { default: addFormats }] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  return ajv;
}

/** Checks inputs with Ajv, which is loaded when the first tool is called. */
export const ajvValidator: Validator = async (schema) => {
  const { $schema: _, ...rest } = schema as { readonly $schema?: unknown };
  const validate = compile(await load(), rest);
  return (input) => {
    if (validate(input)) return [];
    return (validate.errors ?? []).map(({ instancePath, keyword, message = keyword, params }) => ({
      path: `${instancePath}${missing(params)}`,
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
      "Ajv makes code of schemas, which this page's content security policy forbids. Give apply({validate}) a " +
      'function instead: one that interprets schemas, or one that Ajv has compiled at build time.';
    throw new Error(message, { cause });
  }
}

const missing = ({ missingProperty: name }: { readonly missingProperty?: unknown }): string =>
  typeof name === 'string' ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : '';
