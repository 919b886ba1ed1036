import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { endTogether, fail, root, runNode } from './run.mjs';
import { checkInline, checkSizes, printSizes } from './sizes.mjs';

const browserEntries = {
  index: 'src/index.ts',
  auto: 'src/auto.ts',
  'compiler/index': 'src/compiler/index.ts',
  'polyfill/index': 'src/polyfill/index.ts',
};
const classicScripts = { 'webmcp-forms.iife': 'src/auto-base.ts', 'webmcp-forms.full.iife': 'src/auto.ts' };
const nodeEntries = { 'build/index': 'src/build/index.ts', 'build/bin': 'src/build/bin.ts' };
const bin = 'build/bin';
const dist = join(root, 'dist');
const fresh = join(root, `.cache/dist-${process.pid}`);
const old = join(root, `.cache/dist-old-${process.pid}`);

const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const external = [
  /^node:/,
  ...Object.keys({ ...dependencies, ...peerDependencies }).map((name) => new RegExp(`^${name}(/|$)`)),
];

const common = { root, configFile: false, publicDir: false, logLevel: 'warn' };
const output = { outDir: fresh, emptyOutDir: false, sourcemap: true, minify: false };
const names = { entryFileNames: '[name].js', minifyInternalExports: false };

function checkEntries() {
  const missing = Object.values({ ...browserEntries, ...classicScripts, ...nodeEntries }).filter(
    (file) => !existsSync(join(root, file)),
  );
  if (missing.length > 0)
    throw new Error(
      `Entries without a source file: ${missing.join(', ')}. Write them, or take them out of tools/build.mjs.`,
    );
}

const buildForBrowsers = () =>
  build({
    ...common,
    build: {
      ...output,
      target: 'es2022',
      lib: { entry: browserEntries, formats: ['es'] },
      rolldownOptions: { external, output: { ...names, chunkFileNames: 'chunks/[name].js' } },
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
        output: { ...names, chunkFileNames: 'build/chunks/[name].js', banner: shebang },
      },
    },
  });

/** A classic script is one file: what it does not use is left out, and it loads nothing later. */
const buildScript = ([name, entry]) =>
  build({
    ...common,
    build: {
      ...output,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'webmcpForms', fileName: () => `${name}.js` },
    },
  });

function shebang(chunk) {
  if (chunk.name !== bin) return '';
  return readFileSync(join(root, nodeEntries[bin]), 'utf8').startsWith('#!') ? '' : '#!/usr/bin/env node';
}

// tsc cannot be told where to put what `tsc -b` emits, and keeps what it emitted for sources that are gone.
async function copyDeclarations() {
  const code = await runNode(['node_modules/typescript/bin/tsc', '-b', 'src', 'src/build']);
  if (code !== 0) throw new Error('The declarations were not built: see the type errors above.');
  const types = join(root, '.cache/types');
  const isWanted = (path) =>
    !/\.\w+$/.test(path) || existsSync(path.replace(types, join(root, 'src')).replace(/\.d\.ts$/, '.ts'));
  cpSync(types, join(fresh, 'types'), {
    recursive: true,
    filter: (path) => isWanted(path) && !path.endsWith('.tsbuildinfo'),
  });
}

function copySchema() {
  const schema = join(root, 'src/build/manifest.schema.json');
  if (existsSync(schema)) copyFileSync(schema, join(fresh, 'manifest.schema.json'));
}

function swap() {
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
}

async function buildAll() {
  checkEntries();
  mkdirSync(fresh, { recursive: true });
  const [browser] = await buildForBrowsers();
  const scripts = (await Promise.all(Object.entries(classicScripts).map(buildScript))).flat();
  const chunks = scripts.flatMap(({ output }) => output).filter(({ type }) => type === 'chunk');
  checkInline(chunks);
  checkSizes(chunks);
  await buildForNode();
  chmodSync(join(fresh, `${bin}.js`), 0o755);
  await copyDeclarations();
  copySchema();
  swap();
  printSizes([browser, ...scripts].flatMap((bundle) => bundle.output));
}

function cleanUp() {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}

endTogether(cleanUp);
await buildAll().catch(fail).finally(cleanUp);
