import assert from 'node:assert/strict';
import { test } from 'vitest';
import { descendants } from '../../../src/compiler/tree.js';
import { parsePage } from '../../../src/parse5/parse5-tree.js';
import { corpus } from '../../corpus.mjs';

/** The name and the location of every element of a page. */
function startTags(source: string, locations: true | 'elements'): readonly string[] {
  const { tree, document } = parsePage(source, { locations });
  return [...descendants(tree, document)].flatMap((node) => {
    if (!tree.isElement(node)) return [];
    const { line, column } = tree.location?.(node) ?? {};
    return `${tree.localName(node)} ${line}:${column}`;
  });
}

const soup = {
  'line breaks': '<p>\r\n<b\r\nid=a>\r<i>\n\n<input\n\nname=a>',
  'characters of two code units': '<p>😀<b>😀😀\n😀<i title=😀><u>',
  'invalid characters': 'a\0<b\0>\0\n\0<i \ud800 a><u>',
  'formatting elements that the parser adds again': '<p><b><i>x<p>y\n<a><div></a><u>',
  'foster parents': '<table><b><tr>x<td>y\n<i><form><input></table><u>',
  'tags in texts': '<title><b></title><textarea><i></textarea>\n<script><!--<script><b></script></script><u>',
  'start tags in attributes': '<p title="<b>\n<i>"><u a=<b> c>',
  'unfinished tags': '<p>\n<b <i a="',
  'other namespaces': '<svg>\n<path/><desc><b></svg><math><mi>\n<i></math><u>',
  'tags that the parser implies': 'x<tr><td>\n<col><li><li><option><template><td>',
  'a second html and body': '<body a>\n<html b><body c>\n<frameset><u>',
};

test('the locations of start tags alone are the same as in parse5', () => {
  const { golden, cases, published } = corpus();
  const pages = [...golden, ...cases, ...published].map(({ page }) => page);
  for (const page of [...pages, ...Object.values(soup)])
    assert.deepEqual(startTags(page, 'elements'), startTags(page, true), page);
});

test('the location of a start tag does not depend on the length of the page', { tags: 'long' }, () => {
  const page = Array.from({ length: 20_000 }, (_, index) => `<p>${index}\n<b>😀</b> text`).join('');
  assert.deepEqual(startTags(page, 'elements'), startTags(page, true));
});
