import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frontEnds } from '../../test/fuzz/targets/front-ends.ts';
import { resultOf } from './result.mjs';

export const suite = {
  name: 'html5lib-tests, `tree-construction`',
  folder: 'html5lib-tests/tree-construction',
  source: 'https://github.com/html5lib/html5lib-tests, of which https://github.com/golang/net has a copy',
  subject: 'the same descriptions by parse5 and by the DOM of Chromium',
  run,
};

async function run(folder) {
  const cases = documentsOf(folder).flatMap(pagesOf);
  const runner = await frontEnds.open();
  try {
    const outcomes = await runner.run(
      cases.map(({ html }) => html),
      () => undefined,
    );
    return outcomes.map(({ failure }, index) => resultOf(cases[index].name, !failure, { details: failure }));
  } finally {
    await runner.close();
  }
}

/** The documents of the suite. Fragments are omitted, because they are not pages. */
function documentsOf(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.dat'))
    .flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split(/^#data\n/m)
        .slice(1)
        .filter((test) => !/^#(?:document-fragment|script-off)/m.test(test))
        .map((test, index) => ({ name: `${file} ${index + 1}`, data: test.split(/\n#errors(?:\n|$)/)[0] })),
    );
}

/** The suite has few forms, so each test is also run with its markup inside a form, and before a form. */
const pagesOf = ({ name, data }) => [
  { name, html: data },
  {
    name: `${name}, inside a form`,
    html: `<form id=f><input name=a>${data}<input name=b></form><input name=c form=f>`,
  },
  {
    name: `${name}, before a form`,
    html: `${data}<form><input name=a><select name=s><option>x</select><input name=b></form>`,
  },
];
