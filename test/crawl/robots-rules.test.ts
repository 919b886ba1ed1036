import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { parseRobots } from '../../src/crawl/robots.js';
import { withinCpuSeconds } from '../support/cpu-time.js';

const isAllowed = (rules: string, path: string): boolean =>
  parseRobots(`User-agent: *\n${rules}`, 'webmcp-forms').isAllowed(path);

/** https://www.rfc-editor.org/rfc/rfc9309#section-2.2 and the examples of Google's specification. */
const rows: readonly (readonly [rules: string, allowed: readonly string[], disallowed: readonly string[]])[] = [
  ['', ['/', '/a'], []],
  ['Disallow:', ['/', '/a'], []],
  ['Disallow: /', [], ['/', '/a']],
  [
    'Disallow: /fish',
    ['/', '/Fish.asp', '/catfish'],
    ['/fish', '/fish.html', '/fish/salmon', '/fishheads', '/fish?id=1'],
  ],
  ['Disallow: /fish/', ['/fish', '/fish.html'], ['/fish/', '/fish/?id=1', '/fish/salmon.htm']],
  ['Disallow: /*.php', ['/', '/windows.PHP'], ['/index.php', '/folder/a.php.html', '/a?b.php']],
  ['Disallow: /*.php$', ['/a.php?x', '/a.php/', '/a.php5'], ['/a.php', '/folder/a.php']],
  ['Disallow: /fish*.php', ['/Fish.PHP'], ['/fish.php', '/fishheads/catfish.php?x']],
  ['Disallow: /a$', ['/ab', '/a/'], ['/a']],
  ['Disallow: /a*b*c$', ['/abcd', '/ac', '/acb'], ['/abc', '/a1b2c', '/abcc']],
  ['Disallow: /a*$', ['/b'], ['/a', '/abc']],
  ['Allow: /p\nDisallow: /', ['/page'], ['/other']],
  ['Allow: /folder\nDisallow: /folder', ['/folder/page'], []],
  ['Allow: /page\nDisallow: /*.htm', ['/page'], ['/page.htm']],
  ['Allow: /page\nDisallow: /*.ph', ['/page.php5'], []],
  ['Allow: /$\nDisallow: /', ['/'], ['/page.htm']],
  ['Disallow: /%7ejoe', ['/joe'], ['/%7Ejoe', '/%7ejoe/x', '/~joe']],
  ['Disallow: /~joe', ['/joe'], ['/%7Ejoe', '/~joe']],
  ['Disallow: /a%2fb', ['/a/b'], ['/a%2Fb', '/%61%2fb']],
  ['Disallow: /a%2A', ['/ab'], ['/a*', '/a%2a']],
  ['Disallow: /a$b', ['/a', '/ab'], ['/a$b', '/a%24b']],
  ['Disallow: /ツ', ['/'], ['/%E3%83%84']],
  ['disallow : /a # comment', ['/b'], ['/a']],
];

describe('parseRobots', () => {
  for (const [rules, allowed, disallowed] of rows) {
    it(`compares paths with ${JSON.stringify(rules)}`, () => {
      assert.deepEqual(
        allowed.filter((path) => !isAllowed(rules, path)),
        [],
      );
      assert.deepEqual(
        disallowed.filter((path) => isAllowed(rules, path)),
        [],
      );
    });
  }

  it('uses the groups of the robot or the groups of all robots, and reads sitemaps and delays', () => {
    const text = `\uFEFFSitemap: https://a.example/s.xml
User-agent: other
User-agent: WebMCP-Forms/2.0
Crawl-delay: 2
Disallow: /both

User-agent: *
Disallow: /all

User-agent: webmcp-forms
Disallow: /own`;
    const paths = ['/both', '/all', '/own'];
    const of = (product: string): readonly string[] =>
      paths.filter((path) => !parseRobots(text, product).isAllowed(path));
    assert.deepEqual([of('webmcp-forms'), of('other'), of('third')], [['/both', '/own'], ['/both'], ['/all']]);
    const { crawlDelay, sitemaps } = parseRobots(text, 'webmcp-forms');
    assert.deepEqual([crawlDelay, sitemaps], [2, ['https://a.example/s.xml']]);
  });

  it('parses long lines and many groups in a time that is proportional to their length', async () => {
    const many = `${Array.from({ length: 20_000 }, (_, at) => `user-agent: a${at % 9}`).join('\n')}\nuser-agent: *\nuser-agent: *\n`;
    const rules = Array.from({ length: 10_000 }, (_, at) => `disallow: /r${at}`).join('\n');
    await withinCpuSeconds(10, () => {
      assert.equal(isAllowed(`Disallow: /a${' '.repeat(500_000)}b`, '/a'), true);
      assert.equal(isAllowed(`${' '.repeat(500_000)}b\nDisallow: /a`, '/a'), false);
      assert.equal(parseRobots(many + rules, 'webmcp-forms').isAllowed('/r9'), false);
    });
  });

  it('compares a URL in a time that is proportional to the lengths of the URL and of the rules', async () => {
    const text = `User-agent: *\n${'Disallow: /dd\n'.repeat(36_000)}${Array.from({ length: 2000 }, (_, at) => `Disallow: /${'d'.repeat(at % 200)}${at}`).join('\n')}`;
    await withinCpuSeconds(10, () => {
      const { isAllowed } = parseRobots(text, 'webmcp-forms');
      for (let index = 0; index < 3000; index++) assert.equal(isAllowed(`/${'a'.repeat(2000)}${index}`), true);
    });
  });
});
