import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it, test } from 'vitest';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { skipWithout } from '../../../tools/programs.mjs';
import { colorRules, violationsIn } from '../../support/e2e/axe.js';
import { openChromium, overflowOf } from '../../support/e2e/open.js';
import { attributeOf, builtPages, serveBuiltSite, type BuiltPage } from './built-site.js';

const site = await serveBuiltSite();
const options = { skip: skipWithout('chromium') };
const browser = options.skip ? undefined : await openChromium(false);
afterAll(() => browser?.close());

/** A page whose requests to other sites are recorded. */
async function openPage(path: string, contextOptions: BrowserContextOptions = {}) {
  const context = await browser!.newContext(contextOptions);
  const page = await context.newPage();
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(site) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
  await page.goto(site + path, { waitUntil: 'networkidle' });
  return { page, foreign, close: () => context.close() };
}

/**
 * The kinds of elements in a page: the name of an element, its classes, and the name of its parent. A class of VitePress that
 * starts with an underscore is the path of the page.
 */
const kindsIn = ({ elements }: BuiltPage): ReadonlySet<string> =>
  new Set(
    elements.map((element) => {
      const classes = attributeOf(element, 'class')?.split(' ') ?? [];
      const parent = element.parentNode && 'tagName' in element.parentNode ? element.parentNode.tagName : '';
      return `${parent} > ${[element.tagName, ...classes.filter((name) => !name.startsWith('_'))].join('.')}`;
    }),
  );

/** Chooses pages that have all kinds of elements of the site, the page with most new kinds first. */
function choosePages(): readonly string[] {
  const pages = builtPages.filter(({ path }) => path !== '404.html').map((page) => ({ ...page, kinds: kindsIn(page) }));
  const chosen: string[] = [];
  const seen = new Set<string>();
  for (;;) {
    const counts = pages.map(({ path, kinds }) => ({
      path,
      kinds,
      count: [...kinds].filter((kind) => !seen.has(kind)).length,
    }));
    const [best] = counts.toSorted((a, b) => b.count - a.count);
    if (!best || best.count === 0) return chosen;
    chosen.push(best.path);
    for (const kind of best.kinds) seen.add(kind);
  }
}

/** A page of each layout. Rules about whole pages run in them; the other pages only differ in their content. */
const layouts = ['index.html', 'guide/index.html', 'playground.html'];
const content = '.vp-doc';
const checked = [...new Set([...layouts, ...choosePages()])];

interface Visit {
  readonly path: string;
  readonly violations: readonly string[];
  /** The horizontal overflow of the page in a small window, in pixels. */
  readonly overflow: number;
}

/** Waits until the scripts of a page of VitePress handle its events. */
const untilHydrated = (page: Page): Promise<void> =>
  page.locator('.VPSwitchAppearance:not([title=""])').first().waitFor({ state: 'attached' });

/** Runs the rules of axe on the page in light colors, those about colors in dark colors, and measures it in a small window. */
async function visit(page: Page, path: string): Promise<Visit> {
  const scope = layouts.includes(path) ? {} : { include: content };
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(site + path, { waitUntil: 'load' });
  await untilHydrated(page);
  const light = await violationsIn(page, scope);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html.dark').waitFor();
  const dark = await violationsIn(page, { ...scope, rules: colorRules });
  await page.setViewportSize({ width: 360, height: 740 });
  return { path, violations: [...light, ...dark], overflow: await overflowOf(page) };
}

describe('the pages of the documentation', options, () => {
  const visits: Visit[] = [];
  const foreign: string[] = [];

  beforeAll(async () => {
    const left = [...checked];
    const visitNext = async (): Promise<void> => {
      const opened = await openPage('');
      for (let path = left.pop(); path !== undefined; path = left.pop()) visits.push(await visit(opened.page, path));
      foreign.push(...opened.foreign);
      await opened.close();
    };
    await Promise.all([visitNext(), visitNext()]);
  });

  it('have no violation that axe finds, in light and dark colors', () => {
    assert.deepEqual(
      visits.flatMap(({ path, violations }) => violations.map((violation) => `${path}: ${violation}`)),
      [],
    );
  });

  it('request nothing from other sites', () => assert.deepEqual(foreign, []));

  it('do not scroll sideways in a window of 360 pixels', () => {
    assert.equal(visits.length, checked.length);
    assert.deepEqual(
      visits.filter(({ overflow }) => overflow > 0).map(({ path, overflow }) => `${path}: ${overflow}`),
      [],
    );
  });
});

test('the search works without a network, and lists the page of a subject first', options, async () => {
  const { page, close } = await openPage('reference/scripts.html');
  await untilHydrated(page);
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.locator('.VPLocalSearchBox input').waitFor();
  await page.context().setOffline(true);
  for (const [query, path] of [
    ['toolautosubmit', ''],
    ['csp', 'reference/content-security-policy.html'],
    ['oauth', 'reference/gateway/access.html#oauth'],
  ] as const) {
    await page.locator('.VPLocalSearchBox input').fill(query);
    await page
      .locator(
        `.VPLocalSearchBox .result:first-child[href^="/docs/${path}"], .VPLocalSearchBox li:first-child .result[href^="/docs/${path}"]`,
      )
      .first()
      .waitFor();
  }
  await close();
});

/** Opens the first page, and waits for its live form. */
async function openLiveForm() {
  const opened = await openPage('');
  const source = opened.page.getByRole('textbox', { name: 'HTML of the form' });
  await source.waitFor();
  return { ...opened, source, panel: (name: string) => opened.page.getByRole('region', { name }) };
}

describe('the form of the first page', options, () => {
  it('is a tool that follows the edited HTML, and whose call shows the answer of the page', async () => {
    const { page, source, panel, close } = await openLiveForm();
    await source.fill((await source.inputValue()).replace('max="12"', 'max="3"'));
    await panel('The tool').getByText('"maximum": 3').waitFor();
    const status = panel('A call').getByRole('status');
    await page.getByRole('button', { name: 'Call the tool' }).click();
    await status.getByText('Parameter "guests" must be an integer from 1 to 3.').waitFor();
    await page.getByRole('button', { name: 'Let the user submit' }).click();
    await status.getByText('waits for you').waitFor();
    await page.locator('.home-form').getByRole('button', { name: 'Search' }).click();
    await status.getByText('"received": { "guests": "4", "seat": "out" }').waitFor();
    await close();
  });

  it('runs and loads nothing of the HTML that a visitor types', async () => {
    const { page, foreign, source, panel, close } = await openLiveForm();
    await source.fill(`<form name="body" toolname="x" tooldescription="Does x." action="https://evil.example/" onfocusin="bad = 1">
      <script>bad = 1</script><img src="https://evil.example/" onerror="bad = 1"><style>@import "https://evil.example/"</style>
      <iframe srcdoc="<script>parent.bad = 1</script>"></iframe><svg onload="bad = 1"></svg>
      <input name="attributes"><label style="position:fixed">A <input name="a" id="b" autofocus onfocus="bad = 1"></label>
      <button formaction="javascript:bad = 1">Go</button></form>`);
    await panel('The tool').getByText('"name": "x"').waitFor();
    await page.locator('.home-form').getByRole('button', { name: 'Go' }).click();
    await panel('A call').getByText('You have submitted the form').waitFor();
    const markup = await page.locator('.home-form form').evaluate(({ outerHTML }) => outerHTML);
    assert.equal(
      markup.replaceAll(/\s+/g, ' '),
      '<form name="body" tooldescription="Does x." toolname="x"> <input name="attributes"><label>A <input id="b" name="a"></label> <button>Go</button></form>',
    );
    assert.deepEqual([await page.evaluate(() => 'bad' in window), foreign], [false, []]);
    await close();
  });
});

test('the documentation is readable without JavaScript', options, async () => {
  const { page, close } = await openPage('reference/live-forms/filling.html', { javaScriptEnabled: false });
  assert.ok(await page.locator('main h1').isVisible());
  await page.locator('.VPSidebar a', { hasText: 'Scripts' }).click();
  assert.match(page.url(), /scripts/);
  await page.locator('main pre').first().waitFor();
  await close();
});

test('the menus are shown without JavaScript in a window of 360 pixels', options, async () => {
  const viewport = { width: 360, height: 740 };
  const { page, close } = await openPage('guide/index.html', { javaScriptEnabled: false, viewport });
  assert.equal((await page.locator('html').boundingBox())?.width, 360);
  for (const [menu, link, path] of [
    ['.VPSidebar', 'A static site', '/guide/static-site.html'],
    ['.VPNavBarMenu', 'Reference', '/reference/attributes.html'],
  ] as const) {
    await page.locator(menu).getByRole('link', { name: link, exact: true }).click();
    assert.ok(page.url().endsWith(path), page.url());
  }
  assert.equal(await page.getByRole('button', { name: 'Search' }).isVisible(), false);
  await close();
});

test('the theme switches to dark colors and back', options, async () => {
  const { page, close } = await openPage('reference/scripts.html', { colorScheme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await background();
  await untilHydrated(page);
  await page.locator('.VPNavBar .VPSwitchAppearance').first().click();
  await page.waitForFunction((color) => getComputedStyle(document.body).backgroundColor !== color, before);
  await close();
});

test('a printed page contains its text without navigation', options, async () => {
  const { page, close } = await openPage('reference/gateway/configuration.html');
  await page.emulateMedia({ media: 'print' });
  for (const part of ['.VPNav', '.VPSidebar', '.VPDocAside', '.VPDocFooter'])
    assert.equal(await page.locator(part).first().isVisible(), false, part);
  assert.ok(await page.locator('main h1').isVisible());
  await close();
});

test('the live examples of the elements run', options, async () => {
  const { page, close } = await openPage('reference/elements/index.html');
  await page.waitForFunction(
    () => document.querySelectorAll('.live-example :defined[for], .live-example webmcp-inspector:defined').length > 0,
  );
  await page.waitForFunction(async () => ((await document.modelContext?.getTools()) ?? []).length > 0);
  await close();
});
