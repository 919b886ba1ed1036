import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { build as buildWithEsbuild, transformSync } from 'esbuild';
import type { Browser } from 'playwright-core';
import { rollup } from 'rollup';
import { build as buildWithVite } from 'vite';
import webpack from 'webpack';
import { skipWithout } from '../../tools/programs.mjs';
import { openChromium } from '../support/e2e/open.js';
import { serveFiles } from '../support/e2e/serve-files.js';

const [auto, polyfill] = ['auto.js', 'polyfill/index.js'].map((path) =>
  fileURLToPath(new URL(`../../dist/${path}`, import.meta.url)),
);

const page = `<!doctype html><meta charset=utf-8><title>Shop</title>
<form toolname=find tooldescription="Finds books." toolautosubmit><input name=q></form>
<script>
  document.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    event.respondWith('Found ' + new FormData(event.target).get('q'));
  });
</script>`;

/** Builds a page's script, which imports `webmcp-forms/auto`, to the folder `out`. */
type Bundle = (entry: string, out: string) => Promise<unknown>;

const bundlers: Readonly<Record<string, Bundle>> = {
  Vite: (entry, outDir) =>
    buildWithVite({
      configFile: false,
      logLevel: 'silent',
      build: { outDir, rolldownOptions: { input: entry, output: { entryFileNames: 'main.js' } } },
    }),
  'webpack 5': (entry, path) =>
    new Promise((resolve, reject) => {
      const compiler = webpack({
        mode: 'production',
        entry,
        output: { path, filename: 'main.js', publicPath: 'auto' },
      });
      compiler?.run((error, stats) => {
        if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString()));
        else resolve(stats);
      });
    }),
  esbuild: (entry, outdir) =>
    buildWithEsbuild({
      entryPoints: { main: entry },
      outdir,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
    }),
  Rollup: async (input, dir) => (await rollup({ input })).write({ dir, entryFileNames: 'main.js' }),
};

/** The size after minification and compression, which Rollup leaves to plugins and servers. */
const sizeOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(transformSync(file, { minify: true }).code).length, 0);

describe('a page whose script is bundled', { skip: skipWithout('chromium') }, () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    browser = await openChromium(false);
    folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-bundlers-'));
    await writeFile(join(folder, 'entry.js'), `import ${JSON.stringify(auto)};`);
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const [name, bundle] of Object.entries(bundlers)) {
    it(`${name}: the bundle loads the other modules at the first use of the tools, and nothing at a call`, async (test) => {
      const out = join(folder, name.replace(' ', '-'));
      await mkdir(out);
      await bundle(join(folder, 'entry.js'), out);
      await writeFile(join(out, 'index.html'), `${page}<script type=module src=main.js></script>`);
      const { url, requested } = await serveFiles(test, out);
      const tab = await browser.newPage();
      const errors: unknown[] = [];
      tab.on('pageerror', (error) => errors.push(error));
      const scriptsOf = async (steps: () => Promise<unknown>) => {
        const known = requested.length;
        await steps();
        const paths = requested.slice(known).filter((path) => path.endsWith('.js'));
        return Promise.all(paths.map((path) => readFile(join(out, path), 'utf8')));
      };
      const first = await scriptsOf(async () => {
        await tab.goto(url);
        await tab.waitForLoadState('networkidle');
      });
      const listed = await scriptsOf(async () => {
        const names = await tab.evaluate(async () => (await document.modelContext.getTools()).map((tool) => tool.name));
        assert.deepEqual(names, ['find']);
      });
      const called = await scriptsOf(async () => {
        const answer = await tab.evaluate(async () => {
          const [tool] = await document.modelContext.getTools();
          return tool && document.modelContext.executeTool(tool, { q: 'tea' });
        });
        assert.equal(answer, 'Found tea');
      });
      assert.deepEqual(errors, []);
      assert.ok(listed.length > 0);
      assert.equal(called.length, 0);
      assert.ok(sizeOf(first) < 13_000, `${sizeOf(first)} bytes at first`);
      const files = (await readdir(out, { recursive: true })).filter((file) => file.endsWith('.js'));
      assert.equal(first.length + listed.length, files.length, files.join(', '));
      await tab.close();
    });
  }

  it('validates input with Ajv, which is CommonJS, in a bundle of esbuild that is split', async (test) => {
    const out = join(folder, 'ajv');
    await mkdir(out);
    const inputSchema = { type: 'object', properties: { seats: { type: 'integer' } } };
    const tool = `{ name: 'book', description: 'Books.', inputSchema: ${JSON.stringify(inputSchema)}, execute: () => 'Booked' }`;
    const script = `import { apply } from ${JSON.stringify(polyfill)};
      apply({ validate: 'ajv' });
      document.modelContext.registerTool(${tool});`;
    await writeFile(join(folder, 'validated.js'), script);
    await bundlers.esbuild?.(join(folder, 'validated.js'), out);
    await writeFile(
      join(out, 'index.html'),
      '<!doctype html><title>Shop</title><script type=module src=main.js></script>',
    );
    const { url } = await serveFiles(test, out);
    const tab = await browser.newPage();
    await tab.goto(url);
    const outcomes = await tab.evaluate(async () => {
      const [tool] = await document.modelContext.getTools();
      const call = (input: object) => tool && document.modelContext.executeTool(tool, input).catch(String);
      return [await call({ seats: 2 }), await call({ seats: 'two' })];
    });
    assert.equal(outcomes[0], 'Booked');
    assert.match(outcomes[1] ?? '', /"path":"\/seats","reason":"type"/);
    await tab.close();
  });
});
