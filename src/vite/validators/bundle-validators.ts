import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import standalone from 'ajv/dist/standalone/index.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { build as viteBuild, type Plugin } from 'vite';
import { canonicalJson } from '../../json.js';
import { byPath, type ManifestPage } from '../../site/manifest/manifest.js';
import { oneLine } from '../../site/printable.js';
import { reasonOf, UsageError } from '../../site/usage-error.js';

interface CheckedTool {
  readonly name: string;
  readonly schema: object;
}

/** Caches the last bundle, which most calls in dev can reuse. */
let last: { readonly key: string; readonly build: typeof viteBuild; readonly code: Promise<string> } | undefined;

/** Generates a module that validates the input of tools without `new Function`. */
export function bundleValidators(
  pages: readonly ManifestPage[],
  schemas: Readonly<Record<string, object>> = {},
  build = viteBuild,
): Promise<string> {
  const tools = [
    ...Object.entries(schemas).map(([name, schema]) => ({ name, schema })),
    ...[...pages].sort(byPath).flatMap((page) => page.tools.map(({ name, inputSchema: schema }) => ({ name, schema }))),
  ];
  const distinct = [...new Map(tools.map((tool) => [canonicalJson([tool.name, tool.schema]), tool])).values()];
  const key = JSON.stringify(distinct);
  if (last?.key !== key || last.build !== build) last = { key, code: bundle(distinct, build), build };
  return last.code;
}

/** The folder of the virtual modules, from which Ajv can be imported. */
const root = fileURLToPath(new URL('.', import.meta.url));
const entry = join(root, 'webmcp-validators.mjs');
const checkId = (index: number): string => join(root, `webmcp-check-${index}.cjs`);

async function bundle(tools: readonly CheckedTool[], build: typeof viteBuild): Promise<string> {
  const modules = new Map([
    [entry, entryCode(tools)],
    ...tools.map((tool, index) => [checkId(index), checkCode(tool)] as const),
  ]);
  const result = await build({
    root,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [virtualModules(modules)],
    build: {
      write: false,
      target: 'es2020',
      minify: true,
      commonjsOptions: { include: [/\.cjs$/, /node_modules/] },
      lib: { entry, formats: ['es'], fileName: 'validators' },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) => ('output' in each ? each.output : []));
  const chunk = outputs.find((output) => output.type === 'chunk');
  return chunk?.code ?? '';
}

const virtualModules = (modules: ReadonlyMap<string, string>): Plugin => ({
  name: 'webmcp-forms:virtual-modules',
  enforce: 'pre',
  resolveId: (id) => (modules.has(id) ? id : undefined),
  load: (id) => modules.get(id),
});

/** The code for a tool. Each tool has its own Ajv, because two schemas may have the same `$id`. */
function checkCode({ name, schema }: CheckedTool): string {
  const ajv = new Ajv2020({ allErrors: true, strict: false, code: { source: true } });
  addFormats.default(ajv);
  const { $schema: _, ...rest } = schema as { readonly $schema?: unknown };
  try {
    return standalone.default(ajv, ajv.compile(rest));
  } catch (cause) {
    const advice = 'Correct the schema, or disable the option validators.';
    throw new UsageError(`Cannot compile the schema of ${oneLine(name)}: ${reasonOf(cause)}. ${advice}`, {
      cause,
    });
  }
}

const entryCode = (tools: readonly CheckedTool[]): string =>
  [
    ...tools.map((_, index) => `import check${index} from ${JSON.stringify(checkId(index))};`),
    `const checks = [${tools
      .map(
        ({ name, schema }, index) =>
          `[${JSON.stringify(name)}, ${JSON.stringify(canonicalJson(schema))}, check${index}]`,
      )
      .join(', ')}];`,
    runtime,
  ].join('\n');

/** The code that looks up validators by name and schema, or else by name. Pages may use one name for different tools. */
const runtime = `
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const canonical = (value) => {
  if (Array.isArray(value)) return '[' + value.map(canonical).join(',') + ']';
  if (!isRecord(value)) return JSON.stringify(value);
  return '{' + Object.keys(value).sort().map((name) => JSON.stringify(name) + ':' + canonical(value[name])).join(',') + '}';
};
const pointer = (name) => (typeof name === 'string' ? '/' + name.replaceAll('~', '~0').replaceAll('/', '~1') : '');
const checkWith = (check) => (input) =>
  check(input)
    ? []
    : check.errors.map(({ instancePath, keyword, message = keyword, params }) => ({
        path: instancePath + pointer(params.missingProperty),
        reason: keyword,
        message,
      }));
export const validators = Object.create(null);
for (const [name, , check] of checks) validators[name] ??= check;
export const validate = (schema, { name }) => {
  const ofName = checks.filter(([other]) => other === name);
  const text = canonical(schema);
  const [, , check] = ofName.find(([, other]) => other === text) ?? ofName[0] ?? [];
  if (check) return checkWith(check);
  throw new Error('The tool has no validator. Add its schema to the option validators.schemas of webmcpForms.');
};
`;
