import { readdirSync, readFileSync } from 'node:fs';
import { escapeTags, joinBlocks, table } from './markdown.js';

const folder = new URL('../../../test/fixtures/person/', import.meta.url);

/** The members of a case that the section counts. */
interface Case {
  readonly person?: Difference;
  readonly live?: Difference;
  readonly gateway?: Difference;
}

interface Difference {
  readonly differs: string;
}

const ways = { person: 'the person', live: 'the call in the page', gateway: 'the gateway' } as const;

const namesIn = (url: URL): readonly string[] => readdirSync(url).sort();

const casesOf = (kind: string): readonly Case[] =>
  namesIn(new URL(`${kind}/`, folder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(new URL(`${kind}/${file}`, folder), 'utf8')) as Case);

/** The number of the cases of each kind and reason, in the order of the first case. */
function reasonRows(kinds: ReadonlyMap<string, readonly Case[]>): readonly (readonly string[])[] {
  const counts = new Map<string, number>();
  for (const [kind, cases] of kinds)
    for (const each of cases)
      for (const way of ['person', 'live', 'gateway'] as const) {
        const reason = each[way]?.differs;
        if (reason === undefined) continue;
        const key = JSON.stringify([kind, ways[way], escapeTags(reason)]);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  return [...counts].map(([key, count]) => {
    const [kind = '', way = '', reason = ''] = JSON.parse(key) as readonly string[];
    return [kind, String(count), way, reason];
  });
}

/** The section about the forms that are submitted by a person, by a call in the page, and by the gateway. */
export function personSection(): string {
  const names = namesIn(folder).filter((name) => name !== 'data');
  const kinds = new Map(names.map((name) => [name, casesOf(name)]));
  const all = [...kinds.values()].flat();
  const equal = all.filter(({ person, live, gateway }) => !person && !live && !gateway);
  return joinBlocks([
    '## A person, a call and the gateway\n',
    `\`npm test\` submits the ${all.length} forms of \`test/fixtures/person/\` in three ways: Playwright types, clicks and presses as a person,
in a page of Chromium without webmcp-forms; an agent calls the tool of the same page with webmcp-forms; and the gateway calls the tool of the
manifest that is compiled from the page. The test compares

- the method, the URL, the type and the bytes of the request, and its headers \`Origin\` and \`Referer\`,
- the value, the selection and the validity of each control when the button is pressed, and the \`input\` and \`change\` events before it,
- the refusal of an invalid input: the browser sends nothing, and both calls report the same parameter and code.

${equal.length} forms have no difference. The others list one with its reason, and the test fails if it no longer exists. Generated forms with random
controls and values are compared, too; they have no exceptions. A case is a page, \`NAME.html\`, and \`NAME.json\` with the input and the
expected request, so that other projects can run them.
`,
    table(
      ['kind', 'forms', 'without a difference'],
      [...kinds].map(([name, cases]) => [
        name,
        String(cases.length),
        String(cases.filter((each) => equal.includes(each)).length),
      ]),
    ),
    '### Differences\n',
    table(['kind', 'forms', 'of', 'reason'], reasonRows(kinds)),
  ]);
}
