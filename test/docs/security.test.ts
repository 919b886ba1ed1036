import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';

const urlOf = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(urlOf(path), 'utf8');

/** The cells of the rows of a Markdown table, without its head. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => /^\| /.test(line) && !/^\| *-/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

function assertNamesTest(cell: string): void {
  const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(cell) ?? [];
  assert.ok(title.length > 10, cell);
  assert.ok(read(file).replaceAll("\\'", "'").includes(title), `${file} has no test named "${title}".`);
}

const [, promises = ''] = /^## Promises\n([^]*?)^## /m.exec(read('SECURITY.md')) ?? [];

describe('a promise of SECURITY.md', () => {
  const rows = rowsOf(promises).filter(([promise]) => promise !== 'promise');

  it('is read by this test', () => assert.ok(rows.length > 40));

  for (const [promise = '', places = '', test = ''] of rows) {
    it(`names existing code and an existing test: ${promise}`, () => {
      const paths = [...places.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
      assert.ok(paths.length > 0);
      for (const path of paths) assert.ok(existsSync(urlOf(path)), path);
      assertNamesTest(test);
    });
  }
});

describe('the table of parties and places in SECURITY.md', () => {
  const [, section = ''] = /^## Who can write where\n([^]*?)^## /m.exec(read('SECURITY.md')) ?? [];
  const isCell = (row: readonly string[]): boolean => row.length === 4 && row[3] !== 'test';
  const cells = rowsOf(section).filter(isCell);

  it('has one row for each party and each thing that the party could reach', () => {
    const places = new Set(cells.map(([, place]) => place));
    const parties = new Set(cells.map(([party]) => party));
    assert.deepEqual([parties.size, places.size, cells.length], [5, 6, 30]);
    assert.equal(new Set(cells.map(([party, place]) => `${party}: ${place}`)).size, 30);
  });

  for (const [party = '', place = '', , test = ''] of cells) {
    it(`names an existing test: ${party}, ${place}`, () => assertNamesTest(test));
  }
});

describe('the way to report in SECURITY.md', () => {
  it('names the repository', () => {
    const { repository } = JSON.parse(read('package.json')) as { readonly repository: { readonly url: string } };
    const url = repository.url.replace(/^git\+|\.git$/g, '');
    assert.ok(read('SECURITY.md').includes(`(${url}/security/advisories/new)`));
  });
});

/** The last requirement of level 1 or 2 in each section of ASVS 4.0.3. `deleted` lists those before it that do not exist. */
const sections: Readonly<Record<string, number>> = {
  ...{
    '1.1': 7,
    '1.2': 4,
    '1.4': 5,
    '1.5': 4,
    '1.6': 4,
    '1.7': 2,
    '1.8': 2,
    '1.9': 2,
    '1.10': 1,
    '1.11': 2,
    '1.12': 2,
  },
  ...{
    '1.14': 6,
    '2.1': 12,
    '2.2': 3,
    '2.3': 3,
    '2.4': 5,
    '2.5': 7,
    '2.6': 3,
    '2.7': 6,
    '2.8': 7,
    '2.9': 3,
    '2.10': 4,
  },
  ...{ '3.1': 1, '3.2': 4, '3.3': 4, '3.4': 5, '3.5': 3, '3.7': 1, '4.1': 5, '4.2': 2, '4.3': 3, '5.1': 5, '5.2': 8 },
  ...{ '5.3': 10, '5.4': 3, '5.5': 4, '6.1': 3, '6.2': 6, '6.3': 2, '6.4': 2, '7.1': 4, '7.2': 2, '7.3': 4, '7.4': 3 },
  ...{
    '8.1': 4,
    '8.2': 3,
    '8.3': 8,
    '9.1': 3,
    '9.2': 4,
    '10.2': 2,
    '10.3': 3,
    '11.1': 8,
    '12.1': 3,
    '12.2': 1,
    '12.3': 6,
  },
  ...{ '12.4': 2, '12.5': 2, '12.6': 1, '13.1': 5, '13.2': 6, '13.3': 2, '13.4': 2, '14.1': 4, '14.2': 6, '14.3': 3 },
  ...{ '14.4': 7, '14.5': 4 },
};
const deleted: ReadonlySet<string> = new Set([
  '1.4.2',
  '1.4.3',
  '1.12.1',
  '4.1.4',
  '7.3.2',
  '13.1.2',
  '13.2.4',
  '14.3.1',
]);

const range = (section: string, first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);

/** Expands "5.1.1 to 5.1.4" and "9.2.1, 9.2.3". */
function requirementsOf(cell: string): readonly string[] {
  return cell.split(', ').flatMap((part) => {
    const [from = '', to = from] = part.split(' to ');
    const [, section = '', first = '', last = ''] = /^(\d+\.\d+)\.(\d+) \1\.(\d+)$/.exec(`${from} ${to}`) ?? [];
    return range(section, Number(first), Number(last)).filter((each) => !deleted.has(each));
  });
}

describe('docs/concepts/asvs.md', () => {
  const text = read('docs/concepts/asvs.md');
  const tableOf = (part: string) => rowsOf(part).filter(([requirement]) => requirement !== 'requirement');
  const requirementsIn = (part: string): readonly string[] =>
    tableOf(part).flatMap(([requirement = '']) => requirementsOf(requirement));
  const rows = tableOf(text);
  const [gateway = '', sites = ''] = text.split(/^## Sites/m);
  const expected = Object.entries(sections)
    .flatMap(([section, last]) => range(section, 1, last))
    .filter((each) => !deleted.has(each));

  it('has each requirement of the levels 1 and 2 once for the gateway', () => {
    assert.deepEqual([...requirementsIn(gateway)].sort(), expected.sort());
  });

  it('lists only existing requirements, each once, for sites that are read over HTTP', () => {
    const actual = requirementsIn(sites);
    assert.ok(actual.length > 5);
    assert.deepEqual(
      actual.filter((each, at) => !expected.includes(each) || actual.indexOf(each) !== at),
      [],
    );
  });

  it('has a known state and a reason for each', () => {
    for (const [requirement, state = '', reason = ''] of rows) {
      assert.ok(['holds', 'operator', 'does not apply', 'left'].includes(state), requirement);
      assert.ok(reason.length > 3, requirement);
    }
  });
});
