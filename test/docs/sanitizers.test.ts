import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import sanitizeHtml from 'sanitize-html';
import { FilterXSS } from 'xss';
import { readPageContent } from '../../src/compiler/html/page-content.js';
import { parsePage } from '../../src/parse5/parse5-tree.js';
import { compileHtml } from '../../src/site/compile-html.js';
import { documented, hostile, tipPage } from '../support/visitors.js';

const docs = readFileSync(new URL('../../docs/concepts/visitors.md', import.meta.url), 'utf8');

const compiled = (content: string): string =>
  JSON.stringify(compileHtml(tipPage(content), { path: 'p' }), (key, value: unknown) =>
    /^(?:location|source)$/.test(key) ? undefined : value,
  );

function contentOf(html: string) {
  const { tree, document } = parsePage(html);
  return readPageContent(tree, document);
}

describe('the markup of a visitor', () => {
  it('changes the tools of a page without a sanitizer', () => {
    assert.notEqual(compiled(hostile), compiled(''));
    assert.notDeepEqual(Object.keys(contentOf(hostile)), ['text']);
  });

  for (const [title, exported, library] of [
    ['sanitize-html', 'sanitizeHtml', sanitizeHtml],
    ['xss', 'FilterXSS', FilterXSS],
  ] as const) {
    it(`neither changes a tool nor appears as a message of the site after ${title}, configured as documented`, () => {
      const clean = documented(docs, title, exported, library)(hostile);
      assert.equal(compiled(clean), compiled(''));
      assert.deepEqual(Object.keys(contentOf(clean)), ['text']);
      assert.match(clean, /<p><b>Good<\/b> <a href="\/book">book<\/a><\/p>/);
      assert.doesNotMatch(clean, /<[^>]*\s(?:id|name|for|form|role|class|data-|hx-|aria-)/);
    });
  }
});
