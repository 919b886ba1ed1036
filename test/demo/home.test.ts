import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'parse5';
import { test } from 'vitest';
import { attribute, byId, elementsOf, type Element } from '../../demo/server/document.js';
import { compileHtml } from '../../src/build.js';

const page = parse(readFileSync(new URL('../../demo/index.html', import.meta.url), 'utf8'));

const textOf = (element: Element): string =>
  element.childNodes.map((node) => ('tagName' in node ? textOf(node) : 'value' in node ? node.value : '')).join('');

test('the tool on the home page is the tool of its form', () => {
  const { tools, diagnostics } = compileHtml(textOf(byId(page, 'form')), { path: 'index.html', profile: 'precise' });
  assert.deepEqual(diagnostics, []);
  const [{ name, description, inputSchema } = assert.fail()] = tools;
  assert.deepEqual(JSON.parse(textOf(byId(page, 'tool'))), { name, description, inputSchema });
});

test('the home page links to the demo, the agent, the playground and the documentation', () => {
  const paths = [...elementsOf(page)].flatMap((element) => attribute(element, 'href') ?? []);
  for (const path of ['/restaurant.html', '/agent.html', '/docs/playground.html', '/docs/'])
    assert.ok(paths.includes(path), path);
  for (const path of paths.filter((path) => /^\/[^d]/.test(path)))
    assert.ok(existsSync(new URL(`../../demo${path}`, import.meta.url)), path);
});
