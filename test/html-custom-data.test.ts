// @module-tag built
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, it } from 'vitest';
import {
  getLanguageService,
  newHTMLDataProvider,
  TextDocument,
  type CompletionItem,
  type HTMLDataV1,
  type LanguageService,
} from 'vscode-html-languageservice';

let data: HTMLDataV1;
let service: LanguageService;
beforeAll(() => {
  const file = new URL('../dist/vscode.html-custom-data.json', import.meta.url);
  data = JSON.parse(readFileSync(file, 'utf8')) as HTMLDataV1;
  service = getLanguageService({ customDataProviders: [newHTMLDataProvider('webmcp-forms', data)] });
});

/** The completions at the character `|`. */
function completions(source: string): readonly CompletionItem[] {
  const text = source.replace('|', '');
  const document = TextDocument.create('test://a.html', 'html', 1, text);
  const position = document.positionAt(source.indexOf('|'));
  return service.doComplete(document, position, service.parseHTMLDocument(document)).items;
}

const labels = (source: string): readonly string[] => completions(source).map(({ label }) => label);

/** The description of an attribute or an element at the character `|`. */
function hover(source: string): string {
  const text = source.replace('|', '');
  const document = TextDocument.create('test://a.html', 'html', 1, text);
  const position = document.positionAt(source.indexOf('|'));
  return JSON.stringify(service.doHover(document, position, service.parseHTMLDocument(document))?.contents ?? '');
}

describe('vscode.html-custom-data.json in the language service of Visual Studio Code', () => {
  it('completes the attributes of forms, controls, the script and any element', () => {
    const form = labels('<form |></form>');
    for (const name of ['toolname', 'tooldescription', 'toolautosubmit', 'data-toolname', 'data-webmcp-response'])
      assert.ok(form.includes(name), name);
    for (const tag of ['input', 'select', 'textarea', 'fieldset', 'option'])
      assert.ok(labels(`<${tag} |></${tag}>`).includes('toolparamdescription'), tag);
    assert.ok(!labels('<div |></div>').includes('toolname'));
    assert.ok(labels('<div |></div>').includes('data-webmcp-ignore'));
    assert.ok(labels('<script |></script>').includes('data-profile'));
    assert.ok(form.includes('action'), 'The attributes of HTML stay.');
  });

  it('completes the values of attributes', () => {
    assert.deepEqual(labels('<form data-webmcp-response="|"></form>'), ['fetch', 'page']);
    assert.deepEqual(labels('<script data-profile="|"></script>'), ['chromium', 'precise', 'portable']);
    assert.deepEqual(labels('<webmcp-tool trust="|"></webmcp-tool>'), ['report', 'refuse', 'off']);
  });

  it('completes boolean attributes without a value', () => {
    const insertionOf = (name: string, source: string): string | undefined =>
      completions(source).find(({ label }) => label === name)?.textEdit?.newText;
    assert.equal(insertionOf('toolautosubmit', '<form |></form>'), 'toolautosubmit');
    assert.equal(insertionOf('toolname', '<form |></form>'), 'toolname="$1"');
  });

  it('completes the elements and their attributes', () => {
    const tags = labels('<webmcp|');
    for (const name of ['webmcp-tool', 'webmcp-param', 'webmcp-review', 'webmcp-inspector'])
      assert.ok(tags.includes(name), name);
    const attributes = labels('<webmcp-tool |></webmcp-tool>');
    for (const name of ['name', 'description', 'for-action', 'readonly-hint'])
      assert.ok(attributes.includes(name), name);
  });

  it('describes an attribute with the text of the reference, without links', () => {
    assert.match(hover('<form tool|name="a"></form>'), /The name by which agents call the tool\./);
    assert.match(hover('<input toolparam|description="a">'), /an `option`, a radio button or a checkbox of a group: /);
    assert.doesNotMatch(JSON.stringify(data), /\]\((?!http)/);
  });
});
