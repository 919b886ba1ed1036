import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parsePage } from '../../src/parse5/parse5-tree.js';
import { profileNames } from '../../src/compiler/index.js';
import { toolsOf } from '../readings.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);

test('the schemas in the README are those of its form', () => {
  const [form = ''] = blocks('html');
  const { document, tree } = parsePage(form);
  const shown = blocks('json').map((block): unknown => JSON.parse(block));
  assert.deepEqual(
    profileNames.map((profile) => toolsOf(tree, document, profile)[0]?.inputSchema),
    shown,
  );
});
