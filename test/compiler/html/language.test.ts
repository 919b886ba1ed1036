import assert from 'node:assert/strict';
import { test } from 'vitest';
import { languageReader } from '../../../src/compiler/html/language.js';
import { readForms } from '../../../src/compiler/index.js';
import { parsePage, type Parse5Element } from '../../../src/parse5/parse5-tree.js';
import { compileHtml } from '../../../src/site/compile-html.js';
import { languageCases } from '../../support/language-cases.js';

const read = (html: string, contentLanguage?: string): unknown => {
  const { tree, document } = parsePage(html);
  const [found] = readForms(tree, document);
  return languageReader(tree, contentLanguage)(found?.form as Parse5Element);
};

for (const [title, html, lang, dir] of languageCases)
  test(`languageReader reads the language and the direction ${title}`, () => {
    assert.deepEqual(read(html), { ...(lang && { lang }), ...(dir && { dir }) });
  });

test('languageReader reads the Content-Language of the response if the page declares no language', () => {
  assert.deepEqual(read('<form>', 'de-AT'), { lang: 'de-AT' });
  assert.deepEqual(read('<form>', 'de, en'), {});
  assert.deepEqual(read('<form lang=en>', 'de'), { lang: 'en' });
  assert.deepEqual(read('<form lang="">', 'de'), {});
});

test('compileHtml states the language and the direction of each tool', () => {
  const form = (name: string): string => `<form toolname=${name} tooldescription=T><input name=q></form>`;
  const element = '<webmcp-tool name=c description=T lang=fr></webmcp-tool>';
  const html = `<html lang=he dir=rtl>${form('a')}<div lang=en dir=ltr>${form('b')}</div>${element}`;
  const { tools } = compileHtml(html, { path: 'index.html' });
  assert.deepEqual(
    tools.map(({ name, lang, dir }) => [name, lang, dir]),
    [
      ['a', 'he', 'rtl'],
      ['b', 'en', 'ltr'],
      ['c', 'fr', 'rtl'],
    ],
  );
  const [tool] = compileHtml(form('a'), { path: 'index.html', contentLanguage: 'it' }).tools;
  assert.equal(tool?.lang, 'it');
  assert.deepEqual(Object.keys(tool ?? {}).slice(0, 4), ['name', 'description', 'lang', 'inputSchema']);
});

test('languageReader reads the page once for all elements', () => {
  const forms = '<form></form>'.repeat(100);
  for (const html of [forms, `<body dir=auto>${forms}`]) {
    const { tree, document } = parsePage(html);
    let visits = 0;
    const counting: typeof tree = { ...tree, children: (node) => (visits++, tree.children(node)) };
    const read = languageReader(counting);
    const [first, ...others] = readForms(tree, document).map(({ form }) => form);
    read(first as Parse5Element);
    const afterFirst = visits;
    for (const other of others) read(other);
    assert.deepEqual([afterFirst > 100, visits], [true, afterFirst]);
  }
});
