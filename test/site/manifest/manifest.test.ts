import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileHtml, createManifest, UsageError, type ManifestPage } from '../../../src/build.js';
import { profileNames } from '../../../src/compiler/index.js';
import { toolForm } from '../../support/cli/running.js';

const schema = JSON.parse(
  readFileSync(new URL('../../../src/site/manifest/manifest.schema.json', import.meta.url), 'utf8'),
) as Record<string, unknown>;
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
const site = { name: 'shop', description: 'A shop.', version: '1.2.3', profile: 'precise' } as const;
const page = (path: string, html = toolForm('find')): ManifestPage => compileHtml(html, { path });
const pathsOf = (pages: readonly ManifestPage[]): readonly string[] =>
  createManifest(pages, site).pages.map(({ path }) => path);

// Every kind of control and attribute.
const everything = `
  <base href="/base/">
  <form toolname=all tooltitle=All tooldescription=d action=a method=dialog accept-charset=utf-8 target=_top novalidate>
    <fieldset toolparamdescription=g><legend>Legend</legend><div role=group aria-label=inner>
    ${['hidden', 'text', 'search', 'tel', 'url', 'email', 'password', 'date', 'month', 'week', 'time', 'datetime-local']
      .concat(['number', 'range', 'color', 'checkbox', 'radio', 'file', 'submit', 'image', 'reset', 'button'])
      .map((type) => `<input type=${type} name=${type} title=t placeholder=p aria-label=l aria-description=d list=l>`)
      .join('\n')}
    <label>Text <b hidden>not this</b> <textarea name=textarea required minlength=1 maxlength=9>x</textarea></label>
    <select name=one size=2><optgroup label=G disabled><option value=1 label=L selected>O
      <option toolparamdescription=d disabled></optgroup></select>
    <select name=many multiple aria-labelledby=l aria-describedby=l><option>a</select>
    <object name=object></object><output name=output></output><x-y name=custom toolparamschema='{}'></x-y>
    <button name=b value=v formaction=x formmethod=post formenctype=text/plain formnovalidate formtarget=_self></button>
    <input name=limits min=1 max=2 step=1 pattern=x readonly disabled accept=a dirname=d autocomplete=on size=3>
    </div></fieldset>
  </form>
  <datalist id=l><option value=suggested></datalist>
  <form toolname="a b"><input required pattern="("><select name=s></select></form>`;

describe('createManifest', () => {
  it('creates manifests that are valid against the JSON Schema, in every profile', () => {
    for (const profile of profileNames) {
      const pages = [compileHtml(everything, { path: 'all.html', profile, sensitive: 'include' })];
      const manifest = createManifest(pages, { ...site, profile });
      assert.equal(manifest.pages[0]?.tools.length, 1);
      assert.ok(manifest.pages[0].diagnostics.length > 1);
      validate(JSON.parse(JSON.stringify(manifest)));
      assert.deepEqual(validate.errors, null, profile);
    }
  });

  it('has a JSON Schema that rejects invalid manifests', () => {
    const good = (): { [key: string]: unknown } =>
      JSON.parse(JSON.stringify(createManifest([page('a')], site))) as { [key: string]: unknown };
    assert.ok(validate(good()));
    assert.ok(!validate({ ...good(), extra: 1 }));
    assert.ok(!validate({ ...good(), manifestVersion: 2 }));
    assert.ok(!validate({ ...good(), profile: 'loose' }));
    assert.ok(!validate({ ...good(), pages: [{ path: 'a', tools: [{}], diagnostics: [] }] }));
  });

  it('contains the generator and the options, in a fixed order of keys', () => {
    const manifest = createManifest([page('a')], site);
    const keys = 'manifestVersion generator name description version profile sensitive pages';
    assert.equal(Object.keys(manifest).join(' '), keys);
    assert.match(manifest.generator, /^webmcp-forms \d+\.\d+\.\d+/);
    assert.equal(createManifest([], { ...site, generator: 'other 1' }).generator, 'other 1');
    assert.equal(Object.keys(manifest.pages[0]!.tools[0]!).join(' '), 'name description inputSchema source form');
  });

  it('contains the effective value of sensitive', () => {
    assert.equal(createManifest([], site).sensitive, 'exclude');
    assert.equal(createManifest([], { ...site, profile: 'portable' }).sensitive, 'exclude');
    assert.equal(createManifest([], { ...site, profile: 'chromium' }).sensitive, 'include');
    assert.equal(createManifest([], { ...site, sensitive: 'include' }).sensitive, 'include');
  });

  it('sorts pages by the code units of their paths', () => {
    const paths = ['a/z', 'B', 'a', '\u{1f600}', '\uffee', '__proto__', 'constructor', 'a-b', 'é'];
    const sorted = ['B', '__proto__', 'a', 'a-b', 'a/z', 'constructor', 'é', '\u{1f600}', '\uffee'];
    assert.deepEqual(pathsOf(paths.map((path) => page(path))), sorted);
    assert.deepEqual(pathsOf(paths.reverse().map((path) => page(path))), sorted);
  });

  it('omits pages without tools and diagnostics', () => {
    assert.deepEqual(pathsOf([page('a', '<p>'), page('b'), page('c', '<form toolname=x></form>')]), ['b', 'c']);
  });

  it('throws if two pages have the same path, even if one of them would be omitted', () => {
    assert.throws(() => createManifest([page('a'), page('b'), page('a', '')], site), {
      name: 'UsageError',
      message: 'Two pages have the path "a". Use a distinct path for each page.',
    });
    assert.throws(() => createManifest([page('__proto__'), page('__proto__')], site), UsageError);
  });
});
