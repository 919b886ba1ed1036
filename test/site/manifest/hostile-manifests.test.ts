import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import ts from 'typescript';
import { createManifest, diff, parseManifest, types, type Manifest } from '../../../src/build.js';
import { parseConfig } from '../../../src/lint/config/config.js';
import { createMatcher } from '../../../src/site/pages/glob.js';
import { makeFolder, runInProcess } from '../../support/cli/running.js';
import { withinCpuSeconds } from '../../support/cpu-time.js';

const source = { line: 1, column: 1 };
const manifestWith = (inputSchema: object, path = 'index.html'): Manifest => ({
  ...createManifest([], { name: 'n', description: '', version: '1', profile: 'precise' }),
  pages: [{ path, tools: [{ name: 'find', description: 'Finds.', inputSchema, source }], diagnostics: [] }],
});
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `value ${n}`);
const object = (properties: object): object => ({ type: 'object', properties });

/** A nested schema. Each level repeats the same large enum; the innermost value is `last`. */
function nested(levels: number, last: string): object {
  let schema: object = { const: last };
  for (let level = 0; level < levels; level++) schema = object({ a: schema, b: { enum: names(1000) } });
  return schema;
}

/** Schemas that took minutes when the work was not linear. */
const pairs: Readonly<Record<string, () => readonly [object, object]>> = {
  'many values and an anyOf of many values': () => [
    object({ a: { enum: names(20_000) } }),
    object({ a: { anyOf: [{ enum: names(20_000).map((name) => `${name}!`) }, { type: 'null' }] } }),
  ],
  'many values and an anyOf of many branches': () => [
    object({ a: { enum: names(20_000) } }),
    object({ a: { anyOf: names(20_000).map((name) => ({ const: `${name}!`, minLength: 0 })) } }),
  ],
  'levels that are equal except for the last one': () => [nested(200, 'x'), nested(200, 'y')],
  'members with names of object members': () => [
    JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
    ) as object,
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"number"}},"required":["toString"]}') as object,
  ],
};

const inputs: Readonly<Record<string, () => object>> = {
  'a list of types with many duplicates': () => ({
    type: 'object',
    properties: {
      a: { type: Array(20_000).fill('object'), properties: Object.fromEntries(names(2000).map((name) => [name, {}])) },
    },
  }),
  ...Object.fromEntries(Object.entries(pairs).map(([what, pair]) => [what, () => pair()[1]])),
  'texts that end comments and literals': () =>
    object({
      'a*/"\u2028`${': { description: '*/ } */ @x \u202e', enum: ['*/', '`', "'", '"\\', '\u2028', 1e400, -0, 1e21] },
    }),
};

describe('hostile manifests', () => {
  for (const [what, pair] of Object.entries(pairs)) {
    it(`diff compares ${what}`, async () => {
      const [before, after] = pair();
      await withinCpuSeconds(40, () => {
        assert.ok(diff(manifestWith(before), manifestWith(after)).length > 0);
        assert.deepEqual(diff(manifestWith(before), manifestWith(before)), []);
      });
    });
  }

  for (const [what, schema] of Object.entries(inputs)) {
    it(`types declares ${what} as valid TypeScript`, async () => {
      const text = await withinCpuSeconds(40, () => types(manifestWith(schema())));
      const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
      assert.deepEqual(
        diagnostics.map(({ messageText }) => messageText),
        [],
      );
    });
  }

  const paths = [
    '../x',
    'a/../../x',
    'a/%2e%2e/x',
    './x',
    '//evil.example',
    'https://evil.example/',
    'a\\..\\x',
    '/\t/evil',
    'a//b',
    'x'.repeat(9000),
  ];
  it('every command that reads manifests rejects paths that leave the base folder', async () => {
    for (const path of paths) {
      const manifest = manifestWith({ type: 'object' }, path);
      const cwd = await makeFolder({
        'bad.json': JSON.stringify(manifest),
        'good.json': JSON.stringify(manifestWith({ type: 'object' })),
        'shard.ndjson': JSON.stringify(manifest.pages[0]),
        'index.html': '',
      });
      for (const argv of [
        ['types', 'bad.json'],
        ['diff', 'bad.json', 'good.json'],
        ['diff', 'good.json', 'bad.json'],
        ['diff', 'bad.json', 'https://localhost/'],
        ['merge', 'shard.ndjson'],
      ]) {
        const { code, stdout, stderr } = await runInProcess(argv, { cwd });
        assert.deepEqual([code, stdout], [2, ''], `${argv.join(' ')} ${path}`);
        assert.match(stderr, /^webmcp-forms: [^\n]*the path "[^\n]* of a page (?:has|is|begins)[^\n]+\n$/);
      }
      const { code, stderr } = await runInProcess(['compile', '--check', '--out', 'bad.json', '.'], { cwd });
      assert.equal(code, 1);
      assert.match(stderr, /bad\.json is stale: [^\n]*the path "/);
      assert.throws(() => createManifest(manifest.pages, { ...manifest, profile: 'precise' }), { name: 'UsageError' });
    }
  });

  it('parseManifest reports a late duplicate, a deep schema and a long schema in linear time', async () => {
    const pages = Array.from({ length: 200_000 }, (_, n) => ({ path: `p${n}`, tools: [], diagnostics: [] }));
    const twice = { ...manifestWith({}), pages: [...pages, { path: 'p199999', tools: [], diagnostics: [] }] };
    const deep = JSON.stringify(manifestWith({ x: 0 })).replace(
      '{"x":0}',
      `${'{"x":'.repeat(100_000)}0${'}'.repeat(100_000)}`,
    );
    const long = JSON.stringify(manifestWith({ title: 'x'.repeat(5_000_001) }));
    await withinCpuSeconds(40, () => {
      assert.throws(() => parseManifest(JSON.stringify(twice), 'm.json'), /two pages have the path "p199999"/);
      assert.throws(() => parseManifest(deep, 'm.json'), /index\.html is nested deeper than 298 levels/);
      assert.throws(
        () => parseManifest(long, 'm.json'),
        /the schema of the tool find has more than 5 million characters/,
      );
    });
  });

  it('reading a device that never ends is an error', { skip: process.platform === 'win32' }, async () => {
    const { code, stderr } = await runInProcess(['lint', '--config', '/dev/zero', '.'], {
      cwd: await makeFolder({ 'a.html': '' }),
    });
    assert.equal(code, 2);
    assert.match(stderr, /^webmcp-forms: Cannot read \/dev\/zero: it has more than 5 MB\. Split it\.\n$/);
  });

  it('the configuration bounds its globs, so that matching long paths takes little time', async () => {
    await withinCpuSeconds(40, () => {
      const config = (ignore: unknown): string => JSON.stringify({ ignore });
      const rejected = ['**/a/**/a/**/a/**/b', 'a'.repeat(1001), '*a*a*a*b', '{a,b}'.repeat(11), Array(1001).fill('a')];
      for (const ignore of rejected) assert.throws(() => parseConfig(config(ignore), 'c'), { name: 'UsageError' });
      const long = 'a/'.repeat(500);
      for (const glob of [
        '**/a/**/a/**/b',
        '*a*a*b/**',
        `${'?'.repeat(500)}b`,
        '{a,a,a}{a,a,a}{a,a,a}/**/b',
        '{1..1000000}',
      ])
        assert.equal(createMatcher(glob)(long), false, glob);
    });
  });
});
