// The transforms of the browser tests. They are here because their packages are those of test/package.json.
import { fileURLToPath } from 'node:url';
import { compile, compileModule } from 'svelte/compiler';
import { build } from 'vite';

export { esbuildPlugin } from '@web/dev-server-esbuild';

const sveltePlugin = {
  name: 'svelte',
  transform(code, filename) {
    if (filename.endsWith('.svelte')) return compile(code, { filename }).js;
    return /\.svelte\.[jt]s$/.test(filename) ? compileModule(code, { filename }).js : undefined;
  },
};

const vueFlags = Object.fromEntries(
  ['OPTIONS_API', 'PROD_DEVTOOLS', 'PROD_HYDRATION_MISMATCH_DETAILS'].map((name) => [`__VUE_${name}__`, 'false']),
);

async function bundle(entry) {
  const lib = { entry: fileURLToPath(new URL(`../${entry}`, import.meta.url)), formats: ['es'] };
  const rolldownOptions = { output: { codeSplitting: false } };
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [sveltePlugin],
    resolve: { dedupe: ['react', ...['commands', 'language', 'state', 'view'].map((name) => `@codemirror/${name}`)] },
    define: { 'process.env.NODE_ENV': '"development"', ...vueFlags },
    build: { write: false, lib: { ...lib, fileName: 'bundle' }, rolldownOptions },
  });
  return { body: output[0].code, type: 'js' };
}

const bundles = new Map();

/** A bundle of a module of the repository, named by its path from the root. */
export function bundleOnce(entry) {
  if (!bundles.has(entry)) bundles.set(entry, bundle(entry));
  return bundles.get(entry);
}
