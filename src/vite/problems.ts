import { readFile } from 'node:fs/promises';
import type { Diagnostic } from '../compiler/index.js';
import { compileHtml, type CompileOptions } from '../site/compile-html.js';
import type { ManifestPage } from '../site/manifest/manifest.js';
import { oneLine } from '../site/report.js';
import { codeFrame } from './code-frame.js';

/** A diagnostic as Rollup, Rolldown and Vite's overlay take it. */
export interface Problem {
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  readonly pluginCode: string;
  /** The file. */
  readonly id: string;
  readonly loc?: { readonly file: string; readonly line: number; readonly column: number };
  readonly frame?: string;
}

/** A page as it was compiled. */
export interface CompiledPage {
  readonly html: string;
  readonly page: ManifestPage;
  /** The file that it was made of, if it was a file. */
  readonly file: string | undefined;
}

/**
 * The diagnostics of a page, each where its author wrote it: in the source file, if that says the same mistake, or else in
 * the page that was made of it.
 */
export async function problemsOf(
  { html, page, file }: CompiledPage,
  options: Omit<CompileOptions, 'path'>,
): Promise<readonly Problem[]> {
  if (page.diagnostics.length === 0) return [];
  const source = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined);
  const ofSource = source === undefined ? [] : [...compileHtml(source, { ...options, path: page.path }).diagnostics];
  return page.diagnostics.map((diagnostic) => {
    const index = ofSource.findIndex((other) => identity(other) === identity(diagnostic));
    const [written] = index < 0 ? [] : ofSource.splice(index, 1);
    if (written && file !== undefined) return problem(written, file, source ?? '');
    return problem(diagnostic, file ?? page.path, html);
  });
}

const identity = ({ code, tool, parameter }: Diagnostic): string => JSON.stringify([code, tool, parameter]);

function problem({ code, severity, message, location }: Diagnostic, id: string, text: string): Problem {
  const told = { severity, message: oneLine(`${code}: ${message}`), pluginCode: code, id };
  if (!location) return told;
  const { line, column } = location;
  const frame = codeFrame(text, line, column);
  return { ...told, loc: { file: id, line, column: column - 1 }, frame };
}

/** A problem as text, which names the file as a person calls it. */
export function problemText({ message, loc, frame }: Problem, file: string): string {
  const place = loc ? `${oneLine(file)}:${loc.line}:${loc.column + 1}` : oneLine(file);
  return `${place} ${message}${frame === undefined ? '' : `\n${frame}`}`;
}
