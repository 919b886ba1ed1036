import { countOf } from '../../site/printable.js';
import type { Finding } from '../finding.js';

export interface FileFindings {
  readonly file: string;
  readonly path: string;
  readonly findings: readonly Finding[];
  /** The source lines of findings, by their numbers, for a terminal. */
  readonly lines?: ReadonlyMap<number, string>;
}

export interface LintTally {
  readonly pages: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly fixed: number;
}

export interface Report {
  readonly files: readonly FileFindings[];
  readonly tally: LintTally;
}

export type Format = (report: Report) => Iterable<string>;

export function tallyOf(files: readonly FileFindings[], fixed: number): LintTally {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { findings } of files) for (const { severity } of findings) counts[severity]++;
  return { pages: files.length, errors: counts.error, warnings: counts.warning, infos: counts.info, fixed };
}

export const formatTally = ({ pages, errors, warnings, infos, fixed }: LintTally): string =>
  `${countOf(pages, 'page')}, ${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}, ${infos} info` +
  (fixed > 0 ? `, ${fixed} fixed` : '');
