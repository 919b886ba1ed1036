import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { parsePage } from '../../src/parse5/parse5-tree.js';
import { toolsOf } from '../support/readings.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(readme)?.[1] ?? '';

test('the schema in the README is the schema of its form', () => {
  const { document, tree } = parsePage(block('html'));
  assert.deepEqual(toolsOf(tree, document, 'precise')[0]?.inputSchema, JSON.parse(block('json')));
});

test('the README fits on two screens', () => {
  assert.ok(readme.split('\n').length <= 120);
});
