import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namingText } from '../../src/compiler/parameters/description-text.ts';
import { parsePage } from '../../src/parse5/parse5-tree.ts';
import { descriptionsOf } from '../../test/support/readings.ts';
import { resultOf } from './result.mjs';

export const suite = {
  name: 'WPT, `accname`, the names of controls',
  folder: 'wpt/accname',
  source: 'https://github.com/web-platform-tests/wpt',
  subject: 'the labels that describe parameters',
  run,
};

function run(folder) {
  const pages = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.html'));
  return pages.flatMap((file) => markedControls(file, readFileSync(join(folder, file), 'utf8'))).flatMap(check);
}

/** The controls of a page that have their expected name as an attribute. */
function markedControls(file, source) {
  const [, body = ''] = /<body>([^]*)<\/body>/.exec(source.replace(/<!--[^]*?-->/g, '')) ?? [];
  const tests = [];
  const html = body.replace(
    /<(input|select|textarea)\b[^>]*\sdata-expectedlabel="([^"]*)"[^>]*/g,
    (tag, element, expected) => {
      const name = `test-${tests.length}`;
      tests.push({ title: `${file}: ${expected}`, name, expected, tag });
      return tag.replace(element, `${element} form=f name="${name}"`);
    },
  );
  return tests.map((test) => ({ ...test, html: `<form id=f></form>${html}` }));
}

function check({ title, html, name, expected, tag }) {
  const { document, tree } = parsePage(html);
  const control = descriptionsOf(tree, document)[0]?.controls.find((each) => each.name === name);
  if (!control) return [resultOf(title, false, { details: 'is not described' })];
  const [found, wanted] = [collapse(namingText(control.words)), collapse(expected)];
  const details = `${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}, ${tag.slice(0, 200)}`;
  const exception = exceptions.find(([, matches]) => matches(control, found, wanted))?.[0];
  return [resultOf(title, found === wanted, { details, exception })];
}

const collapse = (text) => text.replace(/\s+/g, ' ').trim();

/**
 * The reasons why a name is right although the suite expects another. The first reason whose condition holds counts.
 */
const exceptions = [
  ['A button is not described by its own label.', ({ type }) => /^(?:reset|button|submit)$/.test(type)],
  [
    'The text beside a control is its name before its title.',
    ({ words }, found) =>
      words.some(({ source, text }) => /^(?:text|nearby)$/.test(source) && found.startsWith(collapse(text))),
  ],
  [
    'A description has no values of other controls, which change.',
    (_, found, wanted) => found !== '' && missingWords(found, wanted) === 1,
  ],
];

const missingWords = (found, wanted) => wanted.split(' ').filter((word) => !found.split(' ').includes(word)).length;
