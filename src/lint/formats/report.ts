import type { Finding } from '../finding.js';

/** A page's findings under the name that a person opens it by. */
export interface FileFindings {
  readonly file: string;
  readonly path: string;
  readonly findings: readonly Finding[];
  /** The lines of the page that findings are in, by their numbers, where somebody shows them. */
  readonly lines?: ReadonlyMap<number, string>;
}

/** How much a lint found. */
export interface LintTally {
  readonly pages: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly fixed: number;
}

/** A lint's findings, counted. */
export function tallyOf(files: readonly FileFindings[], fixed: number): LintTally {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { findings } of files) for (const { severity } of findings) counts[severity]++;
  return { pages: files.length, errors: counts.error, warnings: counts.warning, infos: counts.info, fixed };
}

/** A tally as a person reads it. */
export const lintSummary = ({ pages, errors, warnings, infos, fixed }: LintTally): string =>
  `${counted(pages, 'page')}, ${counted(errors, 'error')}, ${counted(warnings, 'warning')}, ${infos} info` +
  (fixed > 0 ? `, ${fixed} fixed` : '');

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** What a lint gives to a machine or a person. */
export interface Report {
  readonly files: readonly FileFindings[];
  readonly tally: LintTally;
}

/** One way of writing a report, piece by piece. */
export type Format = (report: Report) => Iterable<string>;
