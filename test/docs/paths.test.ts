import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
const pages = [
  '.',
  'docs',
  'docs/guide',
  'docs/recipes',
  'docs/reference',
  'docs/reference/cli',
  'docs/reference/elements',
  'docs/reference/gateway',
  'docs/reference/live-forms',
  'docs/concepts',
  'docs/rules',
  'gateway',
  'demo/gateway',
  'elements',
  'src/browser',
  'src/polyfill',
].flatMap(pagesIn);
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Regular expressions in code blocks look like links. */
const withoutCode = (text: string): string => text.replaceAll(/^```[^]*?^```$/gm, '');

/** The paths in the text of a page that start with a top-level folder of the repository. */
const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:src|elements|gateway|test|tools|bench|demo|docs)\/[\w./-]*[\w/])`/g)].map(
    ([, path = '']) => path,
  );

for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']) {
  test(`every path in ${page} exists`, () => {
    const missing = pathsIn(textOf(page)).filter((path) => !existsSync(join(root, path)));
    assert.deepEqual(missing, []);
  });
}

test('every relative link of the documentation leads to a file', () => {
  const missing = pages.flatMap((page) =>
    [...withoutCode(textOf(page)).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !existsSync(resolve(root, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  assert.deepEqual(missing, []);
});
