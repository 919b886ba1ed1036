import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, it } from 'vitest';
import { rewriteCss } from '../../src/vite/css.js';
import { build, closeAll, majors, makeSite, serve } from '../support/vite/sites.js';

const form = String.raw`:is(:tool-form-active, .\:tool-form-active)`;
const submit = String.raw`:is(:tool-submit-active, .\:tool-submit-active)`;
const rewritten = (css: string): string => rewriteCss(css, 'a.css')?.code ?? css;

describe('rewriteCss', () => {
  const cases: readonly (readonly [css: string, expected: string])[] = [
    ['form:tool-form-active{color:red}', `form${form}{color:red}`],
    [':TOOL-FORM-ACTIVE{}', `${form}{}`],
    ['a,form:tool-form-active b::before{}', `a,form${form} b::before{}`],
    ['i:not(:tool-submit-active):hover{}', `i:not(${submit}):hover{}`],
    [':where(:is(a:tool-form-active)):has(> b:tool-submit-active){}', `:where(:is(a${form})):has(> b${submit}){}`],
    [
      'form{&:tool-form-active{color:red;button:tool-submit-active{x:y}}}',
      `form{&${form}{color:red;button${submit}{x:y}}}`,
    ],
    ['@layer a{@media print{:tool-form-active{}}}', `@layer a{@media print{${form}{}}}`],
    ['@supports selector(form:tool-form-active){a{}}', String.raw`@supports selector(form.\:tool-form-active){a{}}`],
    ['@scope (form:tool-form-active) to (p){a{}}', `@scope (form${form}) to (p){a{}}`],
    ['x[a=":tool-form-active"]:tool-form-active{}', `x[a=":tool-form-active"]${form}{}`],
    ['x[a="\\":tool-form-active"]{}', 'x[a="\\":tool-form-active"]{}'],
    ['/* ; */ a:tool-form-active /* { */ b{}', `/* ; */ a${form}  b{}`],
    ['a{--x:{b:tool-form-active{}};:tool-form-active{}}', `a{--x:{b:tool-form-active{}};${form}{}}`],
    ['@import url(data:,{;);:tool-form-active{}', `@import url(data:,{;);${form}{}`],
    ['@media (a:tool-form-active){:tool-form-active{}}', `@media (a:tool-form-active){${form}{}}`],
  ];
  for (const [css, expected] of cases) it(`rewriteCss rewrites ${css}`, () => assert.equal(rewritten(css), expected));

  it('rewriteCss ignores other pseudo-classes, strings, comments, escapes and declarations', () => {
    const others = String.raw`/* :tool-form-active */ .\:tool-form-active::tool-form-active { --x: :tool-form-active }
      a { content: ":tool-form-active"; color:tool-form-active } b:tool-form-activex:tool-form-active-x:tool-form-active(1) {}`;
    assert.equal(rewriteCss(others, 'a.css'), undefined);
    assert.equal(rewriteCss('a { color: red', 'a.css'), undefined);
  });

  it('rewriteCss ignores invalid style sheets', () => {
    for (const css of [
      'a:tool-form-active { } }',
      'a:tool-form-active {',
      'a:tool-form-active { } b { c: ( }',
      'a:tool-form-active { } )',
    ])
      assert.equal(rewriteCss(css, 'a.css'), undefined, css);
  });

  it('rewriteCss does not change its own output', () => {
    const once = rewritten('form:tool-form-active { } @supports selector(:tool-form-active) { a { } }');
    assert.equal(rewriteCss(once, 'a.css'), undefined);
  });

  it('rewriteCss is fast with long selectors and strings', () => {
    const css = `${'a:tool-form-active, '.repeat(20_000)}b { } c["${'\\"'.repeat(20_000)}:tool-form-active { }`;
    assert.ok(rewritten(css.replace(/ c\[.*$/s, '')).length > css.length / 2);
    assert.equal(rewriteCss(css, 'a.css'), undefined);
  });

  it('rewriteCss returns a source map', () => {
    const css = 'a {}\nform:tool-form-active b:tool-submit-active {}\ni {}';
    const { code = '', map = '' } = rewriteCss(css, '/site/a.css') ?? {};
    const parsed = JSON.parse(map) as SourceMapPayload;
    assert.deepEqual([parsed.sources, parsed.sourcesContent], [['a.css'], [css]]);
    const sourceMap = new SourceMap(parsed);
    for (const text of ['form', 'i {}']) {
      const [before = ''] = code.split(text);
      const line = before.split('\n').length - 1;
      const { originalLine, originalColumn } = sourceMap.findEntry(
        line,
        before.length - before.lastIndexOf('\n') - 1,
      ) as SourceMapping;
      assert.ok(css.split('\n').slice(originalLine).join('\n').slice(originalColumn).startsWith(text), text);
    }
  });
});

for (const [name, vite] of majors) {
  describe(`the style rules of ${name}`, () => {
    afterEach(closeAll);
    it(`${name}: a build rewrites style sheets, CSS modules and style elements`, async () => {
      const root = await makeSite();
      await build(vite, root);
      const folder = join(root, 'dist/assets');
      const files = (await readdir(folder)).filter((file) => file.endsWith('.css'));
      const css = (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
      assert.match(css, /a,form:is\(:tool-form-active,\.\\:tool-form-active\)\{/);
      assert.match(css, /\._order_\w+:is\(:tool-form-active,\.\\:tool-form-active\)\{/);
      assert.match(
        await readFile(join(root, 'dist/index.html'), 'utf8'),
        /form:is\(:tool-form-active, ?\.\\:tool-form-active\)/,
      );
    });

    it(`${name}: the dev server rewrites style sheets, but not raw imports`, async () => {
      const root = await makeSite();
      const { url } = await serve(vite, root);
      const text = async (path: string): Promise<string> =>
        (await fetch(url + path, { headers: { accept: 'text/css' } })).text();
      assert.ok((await text('style.css?direct')).includes(`a, form${form} {`));
      assert.match(await text('form.module.css?import'), /\._order_\w+:is\(:tool-form-active, /);
      assert.ok(!(await text('style.css?raw&import')).includes(':is('));
      assert.ok((await (await fetch(url)).text()).includes(`form${form} {`));
    });

    it(`${name}: css: false disables the rewriting`, async () => {
      const root = await makeSite();
      const { files } = await build(vite, root, { options: { css: false }, config: { build: { write: false } } });
      assert.ok(!Object.values(files).some((text) => text.includes(':is(')));
    });
  });
}
