import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parsePage } from '../../src/parse5/parse5-tree.js';
import { profileNames, type ProfileName, type ToolDefinition } from '../../src/compiler/index.js';
import { corpus } from '../corpus.mjs';
import { goldenExceptionFor, toolsOf } from '../support/readings.js';

const { golden, cases } = corpus();

const read = (page: string, profile: ProfileName): readonly ToolDefinition[] => {
  const { document, tree } = parsePage(page);
  return toolsOf(tree, document, profile);
};

/** Compared as text, because the order of keys matters. */
const text = (tools: readonly ToolDefinition[]): string => JSON.stringify(tools, null, 2);

for (const pair of golden) {
  const { group, note = '', html, page, tools } = pair;
  const exception = goldenExceptionFor('parse5', pair);
  test(`the profile chromium emits the tools of Chromium (${group} ${note}): ${html.slice(0, 120)}`, () => {
    const actual = text(read(page, 'chromium'));
    if (exception) assert.notEqual(actual, text(tools), `stale exception: ${exception.reason}`);
    else assert.equal(actual, text(tools));
  });
}

for (const { name, page, expected } of cases) {
  for (const profile of profileNames) {
    test(`the tools of the case ${name} in the profile ${profile} are the expected ones`, () => {
      assert.equal(text(read(page, profile)), text(expected[profile]));
    });
  }
}
