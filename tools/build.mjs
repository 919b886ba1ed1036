import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { elementManifest } from './element-manifest.mjs';
import { htmlCustomData } from './html-custom-data.mjs';
import { pageScripts } from './page-scripts.mjs';
import { endTogether, fail, root, runNode } from './run.mjs';
import { checkInline, checkSizes, printSizes } from './sizes.mjs';

const browserEntries = {
  index: 'src/index.ts',
  auto: 'src/auto.ts',
  jsx: 'elements/jsx.ts',
  'compiler/index': 'src/compiler/index.ts',
  'polyfill/index': 'src/polyfill/index.ts',
  'suggest/index': 'src/suggest/index.ts',
  'headless/index': 'src/headless/index.ts',
  'node-fetch': 'src/http/node-fetch.ts',
  client: 'src/webtool-client/index.ts',
  'ai-sdk': 'src/webtool-client/ai-sdk.ts',
  langchain: 'src/webtool-client/langchain.ts',
  'vite/panel': 'src/vite/panel/panel.ts', // src/vite/dev/panel.ts depends on this name.
};
const elements = ['index', 'tool-controller', 'webmcp-inspector', 'webmcp-param', 'webmcp-review', 'webmcp-tool'];
const elementEntries = Object.fromEntries(elements.map((name) => [`elements/${name}`, `elements/${name}.ts`]));
const editors = ['ckeditor5', 'codemirror5', 'codemirror6', 'prosemirror', 'quill', 'tinymce', 'trix'];
const editorEntries = Object.fromEntries(
  editors.map((name) => [`editors/${name}`, `src/browser/adapters/editors/${name}.ts`]),
);
const nodeEntries = {
  build: 'src/build.ts',
  vite: 'src/vite/index.ts',
  'cli/index': 'src/cli/index.ts',
  'cli/bin': 'src/cli/bin.ts',
  // src/site/workers/process-pages.ts depends on these names.
  'site/workers/worker': 'src/site/workers/worker.ts',
  'lint/worker': 'src/lint/lint-task.ts',
  'annotate/worker': 'src/annotate/worker.ts',
};
const gatewayEntries = {
  index: 'gateway/src/index.ts',
  'node/index': 'gateway/src/node/index.ts',
  'cli/bin': 'gateway/src/cli/bin.ts',
  // gateway/src/node/pages/page-reader.ts depends on this name.
  'node/pages/page-worker': 'gateway/src/node/pages/page-worker.ts',
};
const bin = 'cli/bin';
/** Whether to omit the declarations and the check of sizes, which take most of the time. */
const onlyScripts = process.argv.includes('--scripts');
const fresh = join(root, `.cache/dist-${process.pid}`);
const freshGateway = join(root, `.cache/dist-gateway-${process.pid}`);
const old = join(root, `.cache/dist-old-${process.pid}`);
const oldGateway = join(root, `.cache/dist-gateway-old-${process.pid}`);

function externalsOf(packageFile) {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(root, packageFile), 'utf8'));
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  return [/^node:/, ...names.map((name) => new RegExp(`^${name}(/|$)`))];
}

const external = externalsOf('package.json');

const unindentStyles = {
  name: 'unindent-styles',
  transform: (code, id) =>
    id.startsWith(join(root, 'elements'))
      ? { code: code.replaceAll(/\bcss`[^`]*`/g, (styles) => styles.replaceAll(/^[ \t]+/gm, '')), map: null }
      : undefined,
};

const common = { root, configFile: false, publicDir: false, logLevel: 'warn', plugins: [unindentStyles] };
const output = { outDir: fresh, emptyOutDir: false, minify: false };
const names = { entryFileNames: '[name].js', minifyInternalExports: false };

function checkEntries() {
  const tables = [browserEntries, elementEntries, editorEntries, nodeEntries, gatewayEntries];
  const entries = tables.flatMap(Object.values);
  const missing = entries.filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0)
    throw new Error(
      `These entries have no source file: ${missing.join(', ')}. Add the files, or remove the entries from tools/build.mjs.`,
    );
}

const buildForBrowsers = () =>
  build({
    ...common,
    build: {
      ...output,
      target: 'es2022',
      lib: { entry: { ...browserEntries, ...elementEntries, ...editorEntries }, formats: ['es'] },
      rolldownOptions: { external, output: { ...names, chunkFileNames: 'chunks/[name].js' } },
    },
  });

/** Builds the elements with Lit as modules for one script tag. Other parts of the package are loaded on demand. */
const buildElementScript = () =>
  build({
    ...common,
    build: {
      ...output,
      minify: true,
      target: 'es2022',
      lib: { entry: { 'webmcp-elements': 'elements/index.ts' }, formats: ['es'] },
      rolldownOptions: { output: { ...names, chunkFileNames: 'webmcp-elements/[name].js' } },
    },
  });

/** Builds one element or editor to measure its size without Lit and lazily loaded parts. */
const measurePart = (entry) =>
  build({
    ...common,
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: Object.fromEntries([entry]), formats: ['es'] },
      rolldownOptions: { external: [...external, /\/src\/index\.js$/], output: names },
    },
  });

const buildForNode = () =>
  build({
    ...common,
    build: {
      ...output,
      target: 'node20',
      ssr: true,
      rolldownOptions: {
        external,
        input: nodeEntries,
        output: { ...names, chunkFileNames: 'node-chunks/[name].js', banner: shebang },
      },
    },
  });

const buildGateway = () =>
  build({
    ...common,
    build: {
      ...output,
      outDir: freshGateway,
      target: 'node20',
      ssr: true,
      rolldownOptions: {
        external: externalsOf('gateway/package.json'),
        input: gatewayEntries,
        output: { ...names, chunkFileNames: 'chunks/[name].js', banner: shebang },
      },
    },
  });

/** Writes the scripts of pages, and their hashes for `integrity` attributes. */
async function writePageScripts() {
  const scripts = Object.entries(await pageScripts());
  const hashes = {};
  const chunks = scripts.map(([fileName, text]) => {
    const code = `${text.trimEnd()}\n`;
    writeFileSync(join(fresh, fileName), code);
    hashes[fileName] = `sha384-${createHash('sha384').update(code).digest('base64')}`;
    return { type: 'chunk', isEntry: true, fileName, code, imports: [] };
  });
  writeFileSync(join(fresh, 'integrity.json'), `${JSON.stringify(hashes, null, 2)}\n`);
  return chunks;
}

function shebang(chunk) {
  if (chunk.name !== bin) return '';
  return readFileSync(join(root, nodeEntries[bin]), 'utf8').startsWith('#!') ? '' : '#!/usr/bin/env node';
}

const declarationProjects = [
  'src',
  'src/headless',
  'src/tsconfig.build.json',
  'src/vite',
  'src/cli',
  'gateway/src',
  'elements',
];

// `tsc -b` has no option for the output folder, and does not delete the output of deleted sources.
async function copyDeclarations() {
  const code = await runNode(['node_modules/typescript7/bin/tsc', '-b', ...declarationProjects]);
  if (code !== 0) throw new Error('The declarations were not built. See the type errors above.');
  copyTypes('.cache/types', 'src', join(fresh, 'types'));
  copyTypes('.cache/types-elements/elements', 'elements', join(fresh, 'types/elements'));
  copyTypes('.cache/types-gateway', 'gateway/src', join(freshGateway, 'types'));
  const folder = join(fresh, 'types/elements');
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.d.ts')))
    writeFileSync(join(folder, file), readFileSync(join(folder, file), 'utf8').replaceAll('../src/', '../'));
  const tables = [browserEntries, elementEntries, editorEntries, nodeEntries];
  removeUnreachable(join(fresh, 'types'), tables.flatMap(Object.values));
  removeUnreachable(join(freshGateway, 'types'), Object.values(gatewayEntries));
}

/** Removes the declarations that no entry of a package imports, even indirectly: more than half of all declarations. */
function removeUnreachable(types, entries) {
  const reachable = new Set();
  const visit = (file) => {
    if (reachable.has(file)) return;
    reachable.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/['"](\.{1,2}\/[^'"]+)\.js['"]/g))
      visit(join(dirname(file), `${path}.d.ts`));
  };
  for (const entry of entries) visit(join(types, entry.replace(/^(?:gateway\/)?src\/|\.ts$/g, '') + '.d.ts'));
  for (const name of readdirSync(types, { recursive: true }).filter((name) => name.endsWith('.d.ts')))
    if (!reachable.has(join(types, name))) rmSync(join(types, name));
}

function copyTypes(from, source, to) {
  const types = join(root, from);
  const isWanted = (path) =>
    !/\.\w+$/.test(path) || existsSync(path.replace(types, join(root, source)).replace(/\.d\.ts$/, '.ts'));
  cpSync(types, to, {
    recursive: true,
    filter: (path) => isWanted(path) && !path.endsWith('.tsbuildinfo'),
  });
}

/** Files that are published without a build. */
const copies = {
  'src/site/manifest/manifest.schema.json': 'manifest.schema.json',
  'src/lint/config/config.schema.json': 'lint-config.schema.json',
  'src/vite/client.d.ts': 'types/vite/client.d.ts',
};

function copyFiles() {
  mkdirSync(join(fresh, 'types/vite'), { recursive: true });
  for (const [from, to] of Object.entries(copies)) copyFileSync(join(root, from), join(fresh, to));
}

function swap(dist, fresh, old) {
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
}

async function checkAllSizes(scripts) {
  const parts = [...Object.entries(elementEntries).slice(1), ...Object.entries(editorEntries)];
  const measured = (await Promise.all(parts.map(measurePart))).flat();
  checkSizes([scripts, ...measured.map(({ output }) => output)]);
}

async function buildAll() {
  checkEntries();
  mkdirSync(fresh, { recursive: true });
  const [browser] = await buildForBrowsers();
  const scripts = await writePageScripts();
  checkInline(scripts);
  if (!onlyScripts) await checkAllSizes(scripts);
  const [elementScript] = await buildElementScript();
  await buildForNode();
  await buildGateway();
  for (const folder of [fresh, freshGateway]) chmodSync(join(folder, `${bin}.js`), 0o755);
  if (!onlyScripts) await copyDeclarations();
  copyFiles();
  const elements = elementManifest();
  writeFileSync(join(fresh, 'custom-elements.json'), elements);
  writeFileSync(join(fresh, 'vscode.html-custom-data.json'), htmlCustomData(elements));
  swap(join(root, 'dist'), fresh, old);
  swap(join(root, 'gateway/dist'), freshGateway, oldGateway);
  if (!onlyScripts) printSizes([...browser.output, ...scripts, ...elementScript.output]);
}

function cleanUp() {
  for (const folder of [fresh, freshGateway, old, oldGateway]) rmSync(folder, { recursive: true, force: true });
}

endTogether(cleanUp);
await buildAll().catch(fail).finally(cleanUp);
