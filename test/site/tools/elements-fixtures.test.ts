import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { compileHtml } from '../../../src/build.js';

const folder = new URL('../../fixtures/elements/', import.meta.url);
const file = new URL('tools.json', folder);
const read = (url: URL): string => readFileSync(url, 'utf8');

/** The expectation of test/elements/manifest.test.ts, which runs in browsers. */
function compiled(): unknown {
  const pages = readdirSync(folder).filter((name) => name.endsWith('.html'));
  return pages.sort().map((path) => {
    const html = read(new URL(path, folder));
    const [chromium, precise] = (['chromium', 'precise'] as const).map((profile) => {
      const { tools, diagnostics } = compileHtml(html, { path, profile });
      return {
        tools: tools.map(({ name, title, description, inputSchema, annotations, form }) => ({
          ...{ name, title, description, inputSchema, annotations },
          hasForm: form !== undefined,
        })),
        diagnostics: diagnostics.map(({ code, severity, message, tool, parameter, location }) => ({
          ...{ code, severity, message, tool, parameter },
          at: `${location?.line}:${location?.column}`,
        })),
      };
    });
    return { path, html, chromium, precise };
  });
}

it('compileHtml returns the tools in test/fixtures/elements/tools.json', () => {
  const text = `${JSON.stringify(compiled(), null, 2)}\n`;
  if (process.env['UPDATE_ELEMENTS']) writeFileSync(file, text);
  assert.equal(read(file), text);
});
