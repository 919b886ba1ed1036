import { readFileSync } from 'node:fs';
import { joinBlocks, table } from './markdown.js';

interface GroupCount {
  readonly group: string;
  readonly passed: number;
  readonly total: number;
}

/** The results of an implementation, as `bench/conformance.mjs` writes them. */
interface ImplementationResults {
  readonly implementation: string;
  readonly browser: string;
  readonly groups: readonly GroupCount[];
}

const resultsFile = new URL('../../../bench/conformance/results.json', import.meta.url);

const introduction = `## Cases for declarative WebMCP

[\`test/conformance/\`](https://github.com/webmcp-forms/webmcp-forms/tree/main/test/conformance) is a suite for browsers and
polyfills: pages, calls, and the expected tools, requests and results as data. It does not depend on this package. The outcomes
are those of a standard, or were measured in Chromium 156. \`node bench/conformance.mjs\` runs it with several implementations.
A cell has the number of passed cases and the number of all cases.
`;

const scoreOf = (groups: readonly GroupCount[], kind: string): string => {
  const counted = groups.filter(({ group }) => group.startsWith(`${kind}/`));
  const sum = (key: 'passed' | 'total'): number => counted.reduce((total, each) => total + each[key], 0);
  return `${sum('passed')} of ${sum('total')}`;
};

/** The section with the scores of several implementations in the cases of `test/conformance`. */
export function conformanceCases(): string {
  const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as readonly ImplementationResults[];
  const rows = results.map(({ implementation, browser, groups }) => [
    implementation,
    browser,
    scoreOf(groups, 'tools'),
    scoreOf(groups, 'calls'),
  ]);
  return joinBlocks([introduction, table(['implementation', 'browser', 'tools of pages', 'calls'], rows)]);
}
