import { relative } from 'node:path';
import type { Diagnostic } from '../compiler/index.js';
import { groupBy } from '../group-by.js';
import { readPageFile } from '../site/pages/page-encoding.js';
import { oneLine, printableColumns } from '../site/printable.js';
import type { CompiledPage, Site } from './site.js';

/** A diagnostic or a suggestion in the format of Rollup, Rolldown and Vite's overlay. */
export interface Problem {
  readonly severity: Diagnostic['severity'] | 'info';
  readonly message: string;
  readonly pluginCode: string;
  readonly id: string;
  readonly loc?: { readonly file: string; readonly line: number; readonly column: number };
  readonly frame?: string;
}

/** The maximum number of problems of a page that are reported separately. */
const maxProblems = 1000;

/** The origin of a problem: a diagnostic or a finding of lint. */
interface Report {
  readonly code: string;
  readonly severity: Problem['severity'];
  readonly message: string;
  readonly location?: { readonly line: number; readonly column: number };
}

interface SourceReader<Item> {
  /** Reads the reports for another version of the page's source. */
  readonly read: (text: string) => Promise<readonly Item[]>;
  /** Returns a string that is equal for the same mistake in the source file and in the built page. */
  readonly identityOf: (report: Item) => string;
}

/** The diagnostics of a page. */
export const problemsOf = (page: CompiledPage, site: Site): Promise<readonly Problem[]> =>
  problemsAt(page.page.diagnostics, page, {
    identityOf,
    async read(text) {
      const outcome = await site.read(text);
      return 'result' in outcome ? outcome.result.diagnostics : [];
    },
  });

/** Locates reports on a page: in the source file if it has the same mistake, otherwise in the built page. */
export async function problemsAt<Item extends Report>(
  reports: readonly Item[],
  { html, page, file }: CompiledPage,
  reader: SourceReader<Item>,
): Promise<readonly Problem[]> {
  if (reports.length === 0) return [];
  const inSource = await sourceReports(file, reader);
  const built: Source = { id: file ?? page.path, lines: linesOf(html) };
  const problems = reports.slice(0, maxProblems).map((report) => {
    const original = inSource?.byIdentity.get(reader.identityOf(report))?.shift();
    return inSource && original ? toProblem(original, inSource) : toProblem(report, built);
  });
  const omitted = reports.length - problems.length;
  return omitted > 0 ? [...problems, omittedProblem(omitted, built.id)] : problems;
}

/** A source with its name for messages. */
interface Source {
  readonly id: string;
  readonly lines: readonly string[];
}

interface SourceReports<Item> extends Source {
  readonly byIdentity: ReadonlyMap<string, Item[]>;
}

async function sourceReports<Item>(
  file: string | undefined,
  { read, identityOf }: SourceReader<Item>,
): Promise<SourceReports<Item> | undefined> {
  const text = file === undefined ? undefined : await readPageFile(file, file).catch(() => undefined);
  if (file === undefined || text === undefined) return undefined;
  const groups = groupBy(await read(text), identityOf);
  return { id: file, lines: linesOf(text), byIdentity: new Map([...groups].map(([key, group]) => [key, [...group]])) };
}

const identityOf = ({ code, tool, parameter }: Diagnostic): string => JSON.stringify([code, tool, parameter]);

const linesOf = (text: string): readonly string[] => text.split(/\r\n|[\n\r]/);

const omittedProblem = (count: number, id: string): Problem => ({
  severity: 'warning',
  message: `The page has ${count} more problems, which are not listed. Correct the others first.`,
  pluginCode: 'omitted',
  id,
});

function toProblem({ code, severity, message, location }: Report, { id, lines }: Source): Problem {
  const problem = { severity, message: oneLine(`${code}: ${message}`), pluginCode: code, id };
  if (!location) return problem;
  const { line, column } = location;
  return { ...problem, loc: { file: id, line, column: column - 1 }, frame: codeFrame(lines, line, column) };
}

const linesAround = 2;
const maxWidth = 160;

/** The lines around a 1-based position, which is marked. */
function codeFrame(lines: readonly string[], line: number, column: number): string {
  const first = Math.max(1, line - linesAround);
  const last = Math.min(lines.length, line + linesAround);
  const gutter = String(last).length;
  const start = Math.max(0, column - maxWidth / 2);
  return lines
    .slice(first - 1, last)
    .flatMap((content, index) => {
      const shown = printableColumns(content.slice(start, start + maxWidth));
      const row = `${String(first + index).padStart(gutter)} | ${shown}`.trimEnd();
      return first + index === line ? [row, `${' '.repeat(gutter)} | ${' '.repeat(column - 1 - start)}^`] : [row];
    })
    .join('\n');
}

export function problemText({ id, message, loc, frame }: Problem, root: string): string {
  const file = oneLine(relative(root, id) || id);
  const place = loc ? `${file}:${loc.line}:${loc.column + 1}` : file;
  return `${place} ${message}${frame === undefined ? '' : `\n${frame}`}`;
}
