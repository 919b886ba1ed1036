import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { findViolation, floors } from '../../tools/floors.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('each file or folder that the floors name exists', () => {
  const named = floors.flatMap(({ rooms, imports, lazy = [], types = [] }) => [rooms, imports, lazy, types].flat());
  const paths = named.filter((name) => /^(?:src|elements|demo|gateway)\b/.test(name));
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test('each module of the packages and the demo has a floor', () => {
  const files = ['src', 'elements', 'demo', 'gateway/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|m?js)$/.test(file))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
  );
  const hasFloor = (file: string): boolean =>
    floors.some(({ rooms }) => rooms.some((room) => `${file}/`.startsWith(`${room}/`)));
  assert.deepEqual(
    files.filter((file) => !hasFloor(file)),
    [],
  );
});

const forbidden = [
  ['src/compiler/tree.ts', '../site/compile-html.js', 'static'],
  ['src/compiler/tree.ts', '../site/compile-html.js', 'type'],
  ['src/compiler/tree.ts', 'node:fs', 'static'],
  ['src/browser/options.ts', '../polyfill/index.js', 'lazy'],
  ['src/polyfill/ajv.ts', 'ajv', 'static'],
  ['src/site/compile-html.ts', '../lint/lint.js', 'static'],
  ['src/cli/cli.ts', 'webmcp-forms/build', 'static'],
  ['elements/index.ts', '../src/webtool-client/index.js', 'static'],
  ['demo/site.ts', '../src/build.js', 'static'],
  ['gateway/src/mcp/tools.ts', '../node/stores.js', 'static'],
  ['gateway/src/mcp/tools.ts', 'node:fs', 'static'],
  ['gateway/src/mcp/tools.ts', '../../../src/json.js', 'static'],
  ['gateway/src/webtools/webtool.ts', '../mcp/tools.js', 'static'],
  ['gateway/src/stores/store.ts', '../webtools/webtool.js', 'static'],
  ['gateway/src/stores/store.ts', '../mcp/tools.js', 'type'],
  ['gateway/src/releases/releases.ts', '../webtools/webtool.js', 'static'],
] as const;

for (const [file, specifier, kind] of forbidden)
  test(`the floors reject the ${kind} import of ${specifier} in ${file}`, () => {
    assert.match(findViolation(file, specifier, kind) ?? '', / cannot import .+ See tools\/floors\.mjs\.$/);
  });

const allowed = [
  ['src/compiler/tree.ts', './description.js', 'static'],
  ['src/compiler/tree.ts', '../json.js', 'static'],
  ['src/polyfill/ajv.ts', 'ajv/dist/2020.js', 'lazy'],
  ['src/site/compile-html.ts', 'node:fs', 'static'],
  ['elements/index.ts', '../src/webtool-client/index.js', 'lazy'],
  ['demo/site.ts', 'webmcp-forms/elements', 'static'],
  ['gateway/src/mcp/tools.ts', '../webtools/actions.js', 'static'],
  ['gateway/src/releases/releases.ts', '../webtools/webtool.js', 'type'],
  ['gateway/src/node/stores.ts', 'node:fs', 'static'],
] as const;

for (const [file, specifier, kind] of allowed)
  test(`the floors allow the ${kind} import of ${specifier} in ${file}`, () => {
    assert.equal(findViolation(file, specifier, kind), undefined);
  });
