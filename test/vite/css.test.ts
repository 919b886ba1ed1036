import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { rewriteCss } from '../../src/vite/css.js';
import { build, closeAll, majors, makeSite, serve } from './sites.js';

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
  ];
  for (const [css, expected] of cases) it(`makes ${expected} of ${css}`, () => assert.equal(rewritten(css), expected));

  it('leaves what is no such pseudo-class, byte for byte', () => {
    const others = String.raw`/* :tool-form-active */ .\:tool-form-active::tool-form-active { --x: :tool-form-active }
      a { content: ":tool-form-active"; color:tool-form-active } b:tool-form-activex:tool-form-active-x:tool-form-active(1) {}`;
    assert.equal(rewriteCss(others, 'a.css'), undefined);
    assert.equal(rewriteCss('a { color: red', 'a.css'), undefined);
  });

  it('leaves a style sheet alone that it cannot parse', () => {
    assert.equal(rewriteCss('a:tool-form-active { } }', 'a.css'), undefined);
  });

  it('changes nothing when it is done once more', () => {
    const once = rewritten('form:tool-form-active { } @supports selector(:tool-form-active) { a { } }');
    assert.equal(rewriteCss(once, 'a.css'), undefined);
  });

  it('keeps up with long selectors', () => {
    const css = `${'a:tool-form-active, '.repeat(20_000)}b { } c["${'\\"'.repeat(20_000)}:tool-form-active { }`;
    assert.ok(rewritten(css.replace(/ c\[.*$/s, '')).length > css.length / 2);
    assert.equal(rewriteCss(css, 'a.css'), undefined);
  });

  it('maps what it writes to where it stood', () => {
    const { sources, mappings } = JSON.parse(
      rewriteCss('a {}\nform:tool-form-active {}', '/site/a.css')?.map ?? '',
    ) as { sources: string[]; mappings: string };
    assert.equal(sources.length, 1);
    assert.match(mappings, /^A.*;A/);
  });
});

for (const [name, vite] of majors) {
  describe(`the style rules of ${name}`, () => {
    afterEach(closeAll);
    it('are rewritten in style sheets, CSS modules and pages of a build', async () => {
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

    it('are rewritten by the dev server, and not where the text of a file is asked for', async () => {
      const root = await makeSite();
      const { url } = await serve(vite, root);
      const text = async (path: string): Promise<string> =>
        (await fetch(url + path, { headers: { accept: 'text/css' } })).text();
      assert.ok((await text('style.css?direct')).includes(`a, form${form} {`));
      assert.match(await text('form.module.css?import'), /\._order_\w+:is\(:tool-form-active, /);
      assert.ok(!(await text('style.css?raw&import')).includes(':is('));
      assert.ok((await (await fetch(url)).text()).includes(`form${form} {`));
    });

    it('stay as they are with css: false', async () => {
      const root = await makeSite();
      const { files } = await build(vite, root, { options: { css: false }, config: { build: { write: false } } });
      assert.ok(!Object.values(files).some((text) => text.includes(':is(')));
    });
  });
}
