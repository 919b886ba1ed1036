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
  return readdirSync(folder)
    .filter((file) => file.startsWith('name_'))
    .flatMap((file) => checkFile(file, readFileSync(join(folder, file), 'utf8')));
}

/** The page has the control `test`, and its script the expected properties of it for each platform. */
function checkFile(file, html) {
  const [, expected] = /"property",\s*"name",\s*"is",\s*("(?:[^"\\]|\\.)*")/.exec(html) ?? [];
  const [, body = ''] = /<body>([^]*)<\/body>/.exec(html) ?? [];
  const named = body.replace(/(<(?:input|select|textarea)\b[^>]*\bid="test")/, '$1 name="test"');
  if (!expected || named === body) return [];
  const { document, tree } = parsePage(`<form>${named}</form>`);
  const control = descriptionsOf(tree, document)[0]?.controls.find(({ name }) => name === 'test');
  if (!control) return [resultOf(file, false, { details: 'is not described' })];
  const found = collapse(namingText(control.words));
  const wanted = collapse(JSON.parse(expected));
  const details = `${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`;
  const exception = exceptions.find(([, matches]) => matches(named, control, found, wanted))?.[0];
  return [resultOf(file, found === wanted, { details, exception })];
}

const collapse = (text) => text.replace(/\s+/g, ' ').trim();

/** Why another name than that of the suite is right, if it is. The first reason whose condition holds counts. */
const exceptions = [
  ['A button is not described by its own label.', (_, { type }) => type === 'reset' || type === 'button'],
  ['A description has no colon at its end.', (_, control, found, wanted) => wanted === `${found}:`],
  ['Compilers read markup without styles.', (html) => /<style|style="[^"]*(?:display|visibility)/.test(html)],
  [
    'A description has no values of other controls, which change.',
    (html) => /<label[^]*(?:<input|<select|role=")/.test(html),
  ],
  ['A control does not name itself.', (html) => /aria-labelledby="[^"]*\btest\b/.test(html)],
];
