// Updates the expected tools of every case, to be reviewed: node --import tsx test/update-cases.ts
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parsePage } from '../src/parse5/parse5-tree.js';
import { profileNames } from '../src/compiler/index.js';
import { toolsOf } from './support/readings.js';

const folder = new URL('fixtures/cases/', import.meta.url);
for (const file of readdirSync(folder).filter((each) => each.endsWith('.html'))) {
  const { document, tree } = parsePage(readFileSync(new URL(file, folder), 'utf8'));
  const expected = Object.fromEntries(profileNames.map((profile) => [profile, toolsOf(tree, document, profile)]));
  writeFileSync(new URL(file.replace(/html$/, 'json'), folder), `${JSON.stringify(expected, null, 2)}\n`);
}
