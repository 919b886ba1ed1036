// @module-tag long
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { lint, type Finding } from '../../src/build.js';
import { withinCpuSeconds } from '../support/cpu-time.js';

const form = (controls: string, before = ''): string =>
  `${before}<form toolname=find_words tooldescription="Finds words.">${controls}<button>Go</button></form>`;
const check = (html: string): readonly Finding[] => lint(html, { path: 'p' });
const described = (length: number, text: string): string =>
  `<input type=number name=q toolparamdescription="${text.repeat(length / text.length)}">`;

/** Pages whose lint took a minute or more when the work was quadratic. */
const pages: Readonly<Record<string, () => string>> = {
  'many comments that disable and enable': () =>
    form('', '<!-- webmcp-forms-disable --><!-- webmcp-forms-enable no-options -->\n'.repeat(40_000)),
  'many comments around many findings': () => '<!-- webmcp-forms-disable --><form toolname=x></form>'.repeat(20_000),
  'comments with many unknown rules': () =>
    form(
      '',
      `<!-- webmcp-forms-disable-next-line ${Array.from({ length: 60_000 }, (_, n) => `no-such-options-${n}`).join(' ')} -->`,
    ),
  'many annotations that are almost known': () =>
    form('', `<form toolname=x ${Array.from({ length: 9000 }, (_, n) => `toolparamdescript${n}`).join(' ')}></form>`),
  'long words in descriptions': () => form(described(1990, 'a').repeat(800)),
  'long numbers in descriptions': () => form(described(1990, '1').repeat(800)),
  'number signs in a description': () => `<form toolname=x tooldescription="${'#'.repeat(400_000)}">`,
  'many hosts and a long action': () =>
    `<form toolname=x action="${'a'.repeat(1_000_000)}" tooldescription="${'http://b '.repeat(50_000)}">`,
  'nested headings without text': () => form('', '<h1><div>'.repeat(20_000)),
  'many fixes that change tools': () =>
    form('<input name=q toolparamdescription="" data-toolparamdescription="a">'.repeat(2000)),
};

describe('lint of hostile pages', () => {
  for (const [what, page] of Object.entries(pages)) {
    it(`reads ${what} in linear time`, async () => {
      assert.ok(Array.isArray(await withinCpuSeconds(40, () => check(page()))));
    });
  }

  it('reports how many findings of a rule it does not list', () => {
    const control =
      '<input toolparamdescripton toolparamdescriptio toolparamdescriptionn toolparamdescriptions toolparamdescriptin>';
    const found = check(form(control.repeat(4001))).filter(({ code }) => code === 'unknown-annotation');
    assert.equal(found.length, 20_001);
    assert.match(found.at(-1)?.message ?? '', /^5 more findings of this rule begin here\. Correct the others first\.$/);
  });

  it('reports that it ignores comments after 200 mistakes', () => {
    const found = check(form('', '<!-- webmcp-forms-disable nothing -->\n'.repeat(300))).filter(
      ({ code }) => code === 'unused-disable',
    );
    assert.equal(found.length, 201);
    assert.match(
      found.at(-1)?.message ?? '',
      /^The page has 200 mistakes in comments\. The comments after this one are ignored\. Correct them\.$/,
    );
  });

  it('disables findings by nested and overlapping comments, and marks the used comments', () => {
    const page = [
      '<!-- webmcp-forms-disable -->',
      '<!-- webmcp-forms-disable missing-tool-description -->',
      '<form toolname=a></form>',
      '<!-- webmcp-forms-enable missing-tool-description -->',
      '<form toolname=b></form>',
      '<!-- webmcp-forms-enable -->',
      '<form toolname=c></form>',
      '<!-- webmcp-forms-disable no-options -->',
      '<!-- webmcp-forms-disable-next-line missing-tool-description, no-options -->',
      '<form toolname=d></form>',
    ].join('\n');
    const found = check(page).filter(({ code }) => /missing-tool-description|unused/.test(code));
    assert.deepEqual(
      found.map(({ code, location }) => `${code} ${location?.line}`),
      ['missing-tool-description 7', 'unused-disable 8', 'unused-disable 9'],
    );
  });
});
