import { readFileSync } from 'node:fs';
import { conformanceCases } from './conformance-cases.js';
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
}

const resultsFile = new URL('../../../bench/suites/results.json', import.meta.url);

const introduction = `# Public test suites

The suites of others run with \`bench/suites.mjs\`, which reads checkouts of them from a folder. They are not part of the repository.
Each test passes, or is an exception with a reason.

\`\`\`sh
node --conditions=@webmcp-forms/source --import tsx bench/suites.mjs FOLDER
\`\`\`
`;

/** The page of the results of the public suites. */
export function conformancePage(): string {
  const suites = JSON.parse(readFileSync(resultsFile, 'utf8')) as readonly SuiteResults[];
  const scores = suites.map(({ name, subject, revision = '', total, passed, exceptions }) => [
    name,
    subject,
    revision,
    String(total),
    String(passed),
    String(exceptions.reduce((sum, { count }) => sum + count, 0)),
  ]);
  const reasons = suites.flatMap(({ name, exceptions }) =>
    exceptions.map(({ reason, count }) => [name, String(count), reason]),
  );
  return joinBlocks([
    generatedNote,
    introduction,
    table(['suite', 'what it tests here', 'commit', 'tests', 'passed', 'exceptions'], scores),
    '## Exceptions\n',
    table(['suite', 'tests', 'reason'], reasons),
    '## Sources\n',
    suites.map(({ name, source }) => `- ${name}: ${source}`).join('\n'),
    conformanceCases(),
  ]);
}
