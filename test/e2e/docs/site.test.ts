import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { test } from 'vitest';
import { attributeOf, builtPages, builtSite, readBuilt, textOf, type BuiltPage, type Element } from './built-site.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const origin = 'https://site.example';
const base = '/docs/';

/** The only address outside of the documentation that its pages link to. `npm start` serves it. */
const demoPath = '/restaurant.html';

/** 404.html is served at any address. */
const pages = builtPages.filter(({ path }) => path !== '404.html');
const idsOf = new Map(
  pages.map(({ path, elements }) => [path, new Set(elements.map((element) => attributeOf(element, 'id')))]),
);

const urlAttributes: Readonly<Record<string, string>> = {
  a: 'href',
  img: 'src',
  script: 'src',
  link: 'href',
  iframe: 'src',
  source: 'src',
};

const urlsOf = ({ path, elements }: BuiltPage): readonly { readonly element: Element; readonly url: URL }[] =>
  elements.flatMap((element) => {
    const value = attributeOf(element, urlAttributes[element.tagName] ?? '');
    const values = value === undefined ? loadedBy(element) : [value];
    return values.map((each) => ({ element, url: new URL(each, origin + base + path) }));
  });

/** The URLs of the style sheet and the modules that the script of a page loads after the first paint. */
const loadedBy = (element: Element): readonly string[] =>
  element.tagName === 'script' && attributeOf(element, 'type') === 'module'
    ? [...textOf(element).matchAll(/"(\/docs\/assets\/[^"]*)"/g)].map(([, url = '']) => url)
    : [];

function problemOf({ pathname, hash, href }: URL): string | undefined {
  if (pathname === demoPath) return undefined;
  if (!pathname.startsWith(base)) return `${href} is outside the documentation`;
  const path = pathname.slice(base.length);
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  if (!existsSync(join(builtSite, file)) || !statSync(join(builtSite, file)).isFile()) return `${href} does not exist`;
  const id = decodeURIComponent(hash.slice(1));
  if (id !== '' && file.endsWith('.html') && !idsOf.get(file)?.has(id) && file !== 'playground.html')
    return `${href}: the page has no such anchor`;
  return undefined;
}

test('every internal link and anchor of the documentation resolves', () => {
  const problems = new Map<string, string>(); // each with the first page that has it
  for (const page of pages)
    for (const { url } of urlsOf(page).filter(({ url }) => url.origin === origin)) {
      const problem = problemOf(url);
      if (problem !== undefined && !problems.has(problem)) problems.set(problem, page.path);
    }
  assert.deepEqual([...problems], []);
});

test('the check of links finds missing pages, missing anchors and links out of the documentation', () => {
  for (const address of ['/docs/missing.html', '/docs/guide/#missing', '/order.html'])
    assert.ok(problemOf(new URL(address, origin)), address);
});

test('the pages load nothing from other sites', () => {
  const loaded = pages.flatMap((page) =>
    urlsOf(page)
      .filter(({ element, url }) => element.tagName !== 'a' && !['data:', 'blob:'].includes(url.protocol))
      .filter(({ url }) => url.origin !== origin)
      .map(({ url }) => `${page.path}: ${url.href}`),
  );
  assert.deepEqual(loaded, []);
});

test('the style sheets load nothing from other sites', () => {
  const sheets = new Set(
    pages.flatMap((page) =>
      urlsOf(page)
        .filter(({ url }) => url.pathname.endsWith('.css'))
        .map(({ url }) => url.pathname.slice(base.length)),
    ),
  );
  assert.ok(sheets.size > 0);
  for (const sheet of sheets)
    assert.doesNotMatch(readFileSync(join(builtSite, sheet), 'utf8'), /@import|url\(["']?(?:https?:)?\/\//, sheet);
});

const compressedSize = (path: string): number => gzipSync(readFileSync(join(builtSite, path))).length;

/** The size of a page with its styles and the scripts that it loads before it is shown, compressed, without images. */
function weightOf(page: BuiltPage): number {
  const files = urlsOf(page)
    .filter(({ element: { tagName }, url }) => ['script', 'link'].includes(tagName) && url.origin === origin)
    .map(({ url }) => url.pathname.slice(base.length));
  return [page.path, ...new Set(files)].reduce((sum, file) => sum + compressedSize(file), 0);
}

test('every page weighs at most 150 kB without images, compressed as it is sent', () => {
  const heavy = pages.map((page) => [page.path, weightOf(page)] as const).filter(([, weight]) => weight > 150_000);
  assert.deepEqual(heavy, []);
});

const linkTexts = ({ elements }: BuiltPage, text: string): readonly string[] =>
  elements
    .filter((element) => element.tagName === 'a' && textOf(element).trim() === text)
    .map((element) => attributeOf(element, 'href') ?? '');

test('the pages have links to edit their sources, and the version of the package with its changes', () => {
  const { version, repository } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    readonly version: string;
    readonly repository: { readonly url: string };
  };
  const start = `${repository.url.replace(/^git\+|\.git$/g, '')}/edit/main/`;
  const edited = pages.flatMap((page) => linkTexts(page, 'Edit this page'));
  assert.ok(edited.length > 100 && edited.includes(`${start}README.md`));
  assert.deepEqual(
    edited.filter((link) => !link.startsWith(start) || !existsSync(join(root, link.slice(start.length)))),
    [],
  );
  const first = builtPages.find(({ path }) => path === 'guide/index.html')!;
  assert.deepEqual(linkTexts(first, 'Changelog').length > 0, true);
  assert.ok(first.elements.some((element) => element.tagName === 'button' && textOf(element).trim() === `v${version}`));
});

test('the first page has a link to the page of each kind of user', () => {
  const links = pages
    .find(({ path }) => path === 'index.html')!
    .elements.map((element) => attributeOf(element, 'href'));
  for (const page of ['static-site', 'components', 'builds', 'agents'])
    assert.ok(links.includes(`/docs/guide/${page}.html`), page);
});

test('llms.txt has each page of the guide, the recipes, the concepts and the reference with a sentence', () => {
  const listed = [...readBuilt('llms.txt').matchAll(/^- \[.+\]\(\/docs\/(.*)\): [A-Z`].+\.$/gm)].map(([, link = '']) =>
    link.replace(/(^|\/)$/, '$1index.html'),
  );
  const expected = pages.map(({ path }) => path).filter((path) => /^(?:guide|recipes|concepts|reference)\//.test(path));
  assert.deepEqual(
    listed.filter((path) => !/^(?:rules\/index|measurements)\.html$/.test(path)).sort(),
    expected.sort(),
  );
  assert.ok(readBuilt('llms-full.txt').length > 100_000);
});

test('every page has a title, a language, one first-level heading', () => {
  const incomplete = pages
    .filter(({ path }) => path !== 'playground.html')
    .filter(({ elements }) => {
      const texts = (tag: string) => elements.filter(({ tagName }) => tagName === tag).map(textOf);
      const language = elements.some((element) => element.tagName === 'html' && attributeOf(element, 'lang'));
      return texts('h1').length !== 1 || !texts('title').some((title) => title.trim() !== '') || !language;
    })
    .map(({ path }) => path);
  assert.deepEqual(incomplete, []);
});

test('no page leaves out a level of headings', () => {
  const skipping = pages.filter(({ elements }) => {
    const levels = elements.flatMap(({ tagName }) => (/^h[1-6]$/.test(tagName) ? [Number(tagName[1])] : []));
    return levels.some((level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1);
  });
  assert.deepEqual(
    skipping.map(({ path }) => path),
    [],
  );
});

test('no text of a page is an unresolved interpolation or container', () => {
  const broken = pages.filter(({ elements }) =>
    elements.some((element) => element.tagName === 'p' && /^:::|\[object Object\]/.test(textOf(element))),
  );
  assert.deepEqual(
    broken.map(({ path }) => path),
    [],
  );
});
