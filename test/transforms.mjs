// Bundles the modules of the browser tests. It is here because its packages are those of test/package.json.
import { readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { compile, compileModule } from 'svelte/compiler';

const root = fileURLToPath(new URL('..', import.meta.url));

const loaded = (path, js) => ({ contents: js.code, loader: 'js', resolveDir: dirname(path) });

const sveltePlugin = {
  name: 'svelte',
  setup(plugins) {
    plugins.onLoad({ filter: /\.svelte$/ }, async ({ path }) =>
      loaded(path, compile(await readFile(path, 'utf8'), { filename: path }).js),
    );
    plugins.onLoad({ filter: /\.svelte\.ts$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', target: 'es2022' });
      return loaded(path, compileModule(code, { filename: path }).js);
    });
  },
};

/** The script of axe-core defines a global, so the page loads it as a file, when a test first needs it. */
const axePlugin = {
  name: 'axe-core',
  setup(plugins) {
    const contents = `export let axe;
      export const loadAxe = async () => { await import('/node_modules/axe-core/axe.min.js'); axe = window.axe; };`;
    plugins.onLoad({ filter: /\/chai-a11y-axe\/src\/axe-import\.js$/ }, () => ({ contents }));
  },
};

const vueFlags = Object.fromEntries(
  ['OPTIONS_API', 'PROD_DEVTOOLS', 'PROD_HYDRATION_MISMATCH_DETAILS'].map((name) => [`__VUE_${name}__`, 'false']),
);

/** Packages that fail if a page has two copies of them. */
const single = ['react', ...['commands', 'language', 'state', 'view'].map((name) => `@codemirror/${name}`)];

/** Bundles modules of the repository, and returns the text of each file by its path from the root. */
async function bundle(entryPoints, more) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints,
    outbase: root,
    outdir: root,
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    tsconfig: 'test/tsconfig.browser.json',
    conditions: ['development', 'browser'],
    define: vueFlags,
    alias: Object.fromEntries(single.map((name) => [name, `./node_modules/${name}`])),
    external: ['/node_modules/*'],
    plugins: [sveltePlugin, axePlugin],
    logLevel: 'error',
    ...more,
  });
  return new Map(outputFiles.map(({ path, text }) => [relative(root, path), text]));
}

const bundles = new Map();

/** The bundle of one module of the repository, named by its path from the root. */
export function bundleOnce(entry) {
  if (!bundles.has(entry)) bundles.set(entry, bundle([entry]));
  return bundles.get(entry).then((files) => ({ body: files.values().next().value, type: 'js' }));
}

/**
 * A plugin of @web/test-runner that bundles modules together before browsers start, and serves each of them at its own path.
 * Modules that several of them import are in files of their own, which a browser loads once.
 */
export function bundlePlugin(entryPoints) {
  let files;
  return {
    name: 'bundle',
    async serverStart() {
      const options = { splitting: true, sourcemap: 'linked', chunkNames: 'test/chunks/[name].[hash]' };
      files = await bundle(entryPoints, options);
    },
    serve({ path }) {
      if (!/\.(?:ts|js|map)$/.test(path)) return undefined;
      const body = files.get(path.slice(1).replace(/\.tsx?$/, '.js'));
      return body && { body, type: path.endsWith('.map') ? 'json' : 'js' };
    },
  };
}
