// Builds the scripts of a page: in one piece, and as three that are loaded one after another. Each uses modules of those
// before it, so that all have one state.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './run.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sharedModule = join(root, 'src/script/shared.ts');
const inOnePiece = join(root, 'src/script/inline.ts');

const parts = [
  { file: 'webmcp-forms.iife.js', entry: join(root, 'src/script/first.ts') },
  { file: 'webmcp-forms.agent.js', entry: join(root, 'src/script/second.ts') },
  { file: 'webmcp-forms.calls.js', entry: join(root, 'src/browser/calls.ts') },
];

async function bundle(entry, { plugins = [], external, format = 'iife' } = {}) {
  const output = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins,
    define: { __VERSION__: JSON.stringify(version) },
    build: {
      write: false,
      minify: format === 'iife',
      sourcemap: 'hidden',
      target: 'es2022',
      lib: { entry, formats: [format], name: 'webmcpForms', fileName: () => 'script.js' },
      rolldownOptions: {
        external,
        makeAbsoluteExternalsRelative: false,
        shimMissingExports: true, // imports that are never used
        output: { codeSplitting: false, generatedCode: { symbols: false } },
      },
    },
  });
  return output[0].output[0];
}

/** The exports that a module in the output format of the bundler imports. */
function importsOf({ code }) {
  const statements = [...code.matchAll(/^import (?:\{ ([^}]*) \}|\* as ([\w$]+)) from "([^"]*)";$/gm)];
  if (statements.length < code.match(/^import\b/gm)?.length) throw new Error('The bundler has changed how it imports.');
  const found = new Map();
  for (const [, list, namespace, id] of statements) {
    const names =
      list?.split(', ').map((name) => name.split(' as ')[0]) ??
      [...code.matchAll(new RegExp(`(?<![\\w$.])${namespace}\\.(\\w+)`, 'g'))].map(([, name]) => name);
    for (const name of names) found.set(`${id} ${name}`, { id, name });
  }
  return [...found.values()];
}

/** The code of the module that exports what the next script uses. */
const sharedCode = (imports) =>
  [
    ...imports.map(({ id, name }, index) => `import { ${name} as $${index} } from '${id}';`),
    `export const shared = [${imports.map((_, index) => `$${index}`).join(', ')}];`,
  ].join('\n');

/** Exports what the next script uses. */
const sharing = (imports) => ({
  name: 'sharing',
  enforce: 'pre',
  load: (id) => (id === sharedModule ? sharedCode(imports) : undefined),
});

/** Replaces the modules of the scripts before this one by what they share. */
const using = (modules, imports) => ({
  name: 'using',
  enforce: 'pre',
  load: (id) =>
    modules.has(id)
      ? imports
          .map((each, index) => (each.id === id ? `export const ${each.name} = ${shareName}[${index}];` : ''))
          .join('\n')
      : undefined,
});

const modulesOf = (chunk, entry) =>
  new Set(Object.keys(chunk.modules).filter((id) => id !== sharedModule && id !== entry));

/** Bundles a script without the modules of those before it. Also returns what it uses of these. */
async function bundlePart({ entry }, before, sharedImports) {
  const options = { plugins: [sharing(sharedImports)], external: (id) => before.has(id), format: 'es' };
  const chunk = await bundle(entry, options);
  return { modules: modulesOf(chunk, entry), imports: importsOf(chunk) };
}

/** Finds the modules of each script, and what each uses of those before it. What a script shares can add modules to it. */
async function divideModules() {
  let [first, second] = [new Set(), new Set()];
  for (;;) {
    const third = await bundlePart(parts[2], new Set([...first, ...second]), []);
    const agent = await bundlePart(parts[1], first, third.imports);
    const page = await bundlePart(parts[0], new Set(), agent.imports);
    const isStable = page.modules.size === first.size && agent.modules.size === second.size;
    [first, second] = [page.modules, agent.modules];
    if (isStable) return { first, second, imports: [agent.imports, third.imports] };
  }
}

const shareName = '$shared';

const declaration = /^var webmcpForms=|;\s*$/g;

/**
 * The code of a script that passes its exports to the script that loads it. An element with the name `currentScript` may
 * clobber the property of the document. The declaration becomes spaces, so that the source map stays correct.
 *
 * @param member - selects a member of the exports, with its dot
 */
const received = ({ code, map }, member = '') => ({
  code: `Reflect.get(Document.prototype,"currentScript",document)[Symbol.for("webmcp-forms.receive")]("${version}",${shareName}=>
${code.replaceAll(declaration, (text) => (text.endsWith('=') ? ' '.repeat(text.length) : member))});`,
  map: { ...map, mappings: `;${map.mappings}` },
});

/** @returns {Promise<Record<string, { code: string, map: object }>>} the scripts by file name */
export async function pageScripts() {
  const { first, second, imports } = await divideModules();
  const [page, agent, calls] = parts;
  return {
    [page.file]: await bundle(page.entry, { plugins: [sharing(imports[0])] }),
    [agent.file]: received(
      await bundle(agent.entry, { plugins: [sharing(imports[1]), using(first, imports[0])] }),
      '.part',
    ),
    [calls.file]: received(await bundle(calls.entry, { plugins: [using(new Set([...first, ...second]), imports[1])] })),
    'webmcp-forms.full.iife.js': await bundle(inOnePiece),
  };
}
