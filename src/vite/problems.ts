import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Diagnostic } from '../compiler/index.js';
import { compileHtml } from '../site/compile-html.js';
import { oneLine } from '../site/printable.js';
import type { CompiledPage, Site } from './site.js';

/** A diagnostic in the format of Rollup, Rolldown and Vite's overlay. */
export interface Problem {
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  readonly pluginCode: string;
  readonly id: string;
  readonly loc?: { readonly file: string; readonly line: number; readonly column: number };
  readonly frame?: string;
}

/**
 * The diagnostics of a page. The place is in the source file if it has the same mistake, otherwise in the built page.
 */
export async function problemsOf({ html, page, file }: CompiledPage, site: Site): Promise<readonly Problem[]> {
  if (page.diagnostics.length === 0) return [];
  const source = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined);
  const inSource =
    source === undefined ? [] : [...compileHtml(source, { ...site.options, path: page.path }).diagnostics];
  return page.diagnostics.map((diagnostic) => {
    const index = inSource.findIndex((other) => identityOf(other) === identityOf(diagnostic));
    const [original] = index < 0 ? [] : inSource.splice(index, 1);
    if (original && file !== undefined) return toProblem(original, file, source ?? '');
    return toProblem(diagnostic, file ?? page.path, html);
  });
}

const identityOf = ({ code, tool, parameter }: Diagnostic): string => JSON.stringify([code, tool, parameter]);

function toProblem({ code, severity, message, location }: Diagnostic, id: string, text: string): Problem {
  const problem = { severity, message: oneLine(`${code}: ${message}`), pluginCode: code, id };
  if (!location) return problem;
  const { line, column } = location;
  return { ...problem, loc: { file: id, line, column: column - 1 }, frame: codeFrame(text, line, column) };
}

const linesAround = 2;
const maxWidth = 160;

/** The lines around a 1-based position, which is marked. */
function codeFrame(text: string, line: number, column: number): string {
  const lines = text.split(/\r\n|[\n\r]/);
  const first = Math.max(1, line - linesAround);
  const last = Math.min(lines.length, line + linesAround);
  const gutter = String(last).length;
  const start = Math.max(0, column - maxWidth / 2);
  return lines
    .slice(first - 1, last)
    .flatMap((content, index) => {
      const shown = printable(content.slice(start, start + maxWidth));
      const row = `${String(first + index).padStart(gutter)} | ${shown}`.trimEnd();
      return first + index === line ? [row, `${' '.repeat(gutter)} | ${' '.repeat(column - 1 - start)}^`] : [row];
    })
    .join('\n');
}

/** Replaces control characters, without changing the columns. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');

export function problemText({ id, message, loc, frame }: Problem, root: string): string {
  const file = oneLine(relative(root, id) || id);
  const place = loc ? `${file}:${loc.line}:${loc.column + 1}` : file;
  return `${place} ${message}${frame === undefined ? '' : `\n${frame}`}`;
}
