import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { engines, wantedEngines } from '../../../tools/browsers.mjs';
import { skipWithout } from '../../../tools/programs.mjs';
import { until } from '../../support/until.js';
import { openTab, type Tab } from '../../support/e2e/open.js';
import { serveBuiltSite } from './built-site.js';
import { sharedUrl } from './playground-page.js';

const site = await serveBuiltSite();

const uses = Array.from({ length: 18 }, (_, index) => {
  const use = `<use href="#g${index}"/>`;
  return `<g id="g${index + 1}">${use}${use}${use}</g>`;
});
const svg = `<svg><g id="g0"><circle r="1"/></g>${uses.join('')}</svg>`;
const inShadowRoot = (html: string): string => `<div><template shadowrootmode="open">${html}</template></div>`;
const tableOf = (spans: string): string => inShadowRoot(`<table>${`<tr><td ${spans}>x`.repeat(2000)}</table>`);

/** Pages whose layout or validation takes browsers longer than anybody waits. */
const slowPages = {
  'vector images that use each other': svg,
  'vector images in a shadow root': inShadowRoot(svg),
  'cells that span the whole table': tableOf('rowspan=65534 colspan=1000'),
  'cells whose spans have other characters after their numbers': tableOf('rowspan=65534x colspan=1000.5'),
  'cells that span all rows after them': tableOf('rowspan=0'),
  'cells with a negative span before others': `<table><td rowspan=-1e9></table>${tableOf('rowspan=65534 colspan=1000')}`,
  'many patterns': `<input pattern="a*a*a*b" value="${'a'.repeat(300)}">`.repeat(2500),
  'text of two directions': `<p>${'\u202E\u05D0a'.repeat(33_000)}</p>`,
};

const form =
  '<form toolname="ping" tooldescription="Pings."><input name="a" pattern="[a-z]"><button>Ping</button></form>';

/** The outcome of the comparison, or an empty string before it. */
const comparison = (tab: Tab): Promise<string> =>
  tab.evaluate(async () => {
    const text = document.querySelector('.pg-comparison')?.textContent?.trim() ?? '';
    await new Promise((resolve) => requestAnimationFrame(resolve));
    return /^(?:Equal|Different)/.test(text) ? text : '';
  }, undefined);

for (const engine of (['firefox', 'webkit'] as const).filter((name) => wantedEngines().includes(name)))
  describe(`the playground stays usable in ${engine}`, { skip: skipWithout(engines[engine].program) !== false }, () => {
    let tab: Tab;
    beforeAll(async () => void (tab = await openTab(engine)));
    afterAll(() => tab.close());
    for (const [what, html] of Object.entries(slowPages))
      it(what, async () => {
        await tab.goto('about:blank');
        await tab.goto(sharedUrl(site, form + html));
        assert.match(await until(() => comparison(tab)), /^Equal/);
      });
  });
