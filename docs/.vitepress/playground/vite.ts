import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Plugin, UserConfig } from 'vite';

const frameModule = 'virtual:playground-frame';
const frameEntry = fileURLToPath(new URL('frame/main.ts', import.meta.url));

/** The bundled script of the frame, as a string in a module: the frame has an opaque origin and loads nothing. */
const frameScript: Plugin = {
  name: 'playground-frame',
  resolveId: (id) => (id === frameModule ? `\0${frameModule}` : undefined),
  async load(id) {
    if (id !== `\0${frameModule}`) return undefined;
    const { outputFiles, metafile } = await build({
      entryPoints: [frameEntry],
      bundle: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      write: false,
      metafile: true,
    });
    for (const file of Object.keys(metafile.inputs)) this.addWatchFile(resolve(file));
    return `export const frameScript = ${JSON.stringify(outputFiles[0]?.text)};`;
  },
};

const nodeFunctions = fileURLToPath(new URL('worker/node-functions.ts', import.meta.url));

/** Replaces the modules of Node.js that the linter imports. The playground calls none of their functions. */
const nodeModules: Plugin = {
  name: 'playground-node-modules',
  enforce: 'pre',
  resolveId: (id, importer, { ssr }) =>
    !ssr && /^node:(?:buffer|module|util)$/.test(id) && /\/src\/site\//.test(importer ?? '')
      ? nodeFunctions
      : undefined,
};

/** Leaves out modules that only browsers load, such as the editor and the index of the search, when the pages are rendered. */
const withoutLateImports: Plugin = {
  name: 'without-late-imports',
  apply: (_, { isSsrBuild }) => isSsrBuild === true,
  resolveDynamicImport: (specifier) => (typeof specifier === 'string' ? { id: specifier, external: true } : null),
};

/** esbuild removes unused code, too, in a tenth of the time that Rollup takes. */
const removeByEsbuild = { treeshake: false } as const;

/** The packages that the playground imports. If the development server finds one late, it reloads the page. */
const packages = [
  ...['commands', 'language', 'lint', 'state', 'view'].map((name) => `@codemirror/${name}`),
  ...['@lezer/highlight', '@lezer/html', 'parse5'],
];

/** The configuration of Vite for the playground, and for a fast build of the site. */
export const siteVite = {
  plugins: [frameScript, nodeModules, withoutLateImports],
  esbuild: { treeShaking: true },
  build: { target: 'es2022', chunkSizeWarningLimit: 2000, rollupOptions: removeByEsbuild },
  worker: { format: 'es', plugins: () => [nodeModules], rollupOptions: removeByEsbuild },
  optimizeDeps: { include: packages, esbuildOptions: { target: 'es2022' } },
} satisfies UserConfig;

/** The playground is shown before it loads the editor and the script of the frame, which are larger than the rest. */
export const withoutPlaygroundPreloads = (html: string): string =>
  html.replace(/<link rel="modulepreload" href="[^"]*\/(?:editor|virtual_playground-frame)\.[^"]*">\s*/g, '');
