import assert from 'node:assert/strict';
import { join } from 'node:path';
import { build as buildWithEsbuild } from 'esbuild';
import { build as buildWithVite } from 'vite';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { folderInCheckout, tarballs, unpack } from './packed.js';

const folder = folderInCheckout('side-effects');
await unpack(tarballs.forms, folder, 'webmcp-forms');
await unpack(tarballs.gateway, folder, 'webmcp-gateway');

/** Bundles a module, and returns the code without comments. */
type Bundle = (code: string) => Promise<string>;

const bundleWithEsbuild: Bundle = async (contents) => {
  const { outputFiles } = await buildWithEsbuild({
    stdin: { contents, resolveDir: folder },
    ...{ bundle: true, write: false, minify: true, format: 'esm', platform: 'node', legalComments: 'none' },
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
};

let count = 0;
const bundleWithVite: Bundle = async (contents) => {
  const entry = join(folder, `entry-${++count}.js`);
  writeFileSync(entry, contents);
  const built = await buildWithVite({
    ...{ root: folder, configFile: false, logLevel: 'silent' },
    build: { write: false, lib: { entry, formats: ['es'] }, rolldownOptions: { external: /^node:/ } },
  });
  if (!Array.isArray(built)) throw new Error('Vite returned no output.');
  return built.flatMap(({ output }) => output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : ''))).join('');
};

const unused = [
  "import { registerForms } from 'webmcp-forms';",
  "import { apply } from 'webmcp-forms/polyfill';",
  "import { describeForm } from 'webmcp-forms/compiler';",
  "import { connectWebtool } from 'webmcp-forms/client';",
];

for (const [bundler, bundle] of [
  ['esbuild', bundleWithEsbuild],
  ['Vite', bundleWithVite],
] as const)
  describe(`the packages, bundled by ${bundler}`, () => {
    it('imports for side effects are part of the bundle', async () => {
      assert.match(await bundle("import 'webmcp-forms/auto';"), /modelContext/);
      for (const name of ['webmcp-inspector', 'webmcp-param', 'webmcp-review', 'webmcp-tool']) {
        const bundled = await bundle(`import 'webmcp-forms/elements/${name}.js';`);
        assert.match(bundled, new RegExp(`\\(['"\`]${name}['"\`],\\s*[\\w$]+\\)`), name); // its definition
      }
    });

    for (const code of unused)
      it(`an unused import disappears: ${code}`, async () => assert.equal((await bundle(code)).trim(), ''));
  });

for (const code of [
  "import { compileHtml } from 'webmcp-forms/build';",
  "import { createGateway } from 'webmcp-gateway';",
])
  describe('the packages for Node, bundled by esbuild', () => {
    it(`an unused import disappears: ${code}`, async () =>
      assert.doesNotMatch(await bundleWithEsbuild(code), /function|=>|class /));
  });
