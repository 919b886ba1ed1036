import { readFileSync } from 'node:fs';
import { conformanceCases } from './conformance-cases.js';
import { personSection } from './person-section.js';
import { generatedNote, joinBlocks, table } from './markdown.js';

/** The results of a suite, as `bench/suites.mjs` writes them. */
interface SuiteResults {
  readonly name: string;
  readonly source: string;
  readonly subject: string;
  readonly revision?: string;
  readonly total: number;
  readonly passed: number;
  readonly exceptions: readonly { readonly reason: string; readonly count: number }[];
  /** Whether the subject is another implementation. */
  readonly isComparison?: boolean;
}

const resultsFile = new URL('../../../bench/suites/results.json', import.meta.url);

const introduction = `# Public test suites

The suites of others run with \`bench/suites.mjs\`, which reads checkouts of them from a folder. They are not part of the repository.
Each test passes, or is an exception with a reason.

\`\`\`sh
node --conditions=@webmcp-forms/source --import tsx bench/suites.mjs FOLDER
\`\`\`
`;

const notes = `The tests of \`webmcp\` are 78 files with the 227 tests of the suite, copied by hand from versions of 2026 in the suite and in its
copies in Chromium and Servo. Where only an older version was found, its \`navigator.modelContext\`, its inputs and schemas as JSON,
and its events at the window were replaced by those of today. Comments were omitted, and a helper page was written
anew, so the originals can differ in small parts. The test of an insecure page needs a network address of the machine.
In about one of six runs with two scripts, \`initial-about-blank-shared-tool\` fails, because its frame loads a page before the second
script has loaded.
`;

const rowOf = ({
  name,
  subject,
  revision = 'a copy without commits',
  total,
  passed,
}: SuiteResults): readonly string[] => [name, subject, revision, String(total), String(passed)];

const columns = ['suite', 'subject', 'commit', 'tests', 'passed'];

/** The page of the results of the public suites. */
export function conformancePage(): string {
  const all = JSON.parse(readFileSync(resultsFile, 'utf8')) as readonly SuiteResults[];
  const suites = all.filter(({ isComparison }) => !isComparison);
  const scores = suites.map((suite) => [
    ...rowOf(suite),
    String(suite.exceptions.reduce((sum, { count }) => sum + count, 0)),
  ]);
  const reasons = suites.flatMap(({ name, exceptions }) =>
    exceptions.map(({ reason, count }) => [name, String(count), reason]),
  );
  const uniqueReasons = new Map(reasons.map((row) => [row.join(), row])); // an implementation has them in each engine
  return joinBlocks([
    generatedNote,
    introduction,
    table([...columns, 'exceptions'], scores),
    notes,
    '## Other implementations\n',
    'A test that ends the page counts as one test, because its file cannot report the others.\n',
    table(columns, all.filter(({ isComparison }) => isComparison).map(rowOf)),
    '## Exceptions\n',
    table(['suite', 'tests', 'reason'], [...uniqueReasons.values()]),
    '## Sources\n',
    `${[...new Set(all.map(({ name, source }) => `- ${name}: ${source}`))].join('\n')}\n`,
    personSection(),
    conformanceCases(),
  ]);
}
