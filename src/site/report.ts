import type { Writable } from 'node:stream';
import type { Diagnostic } from '../compiler/index.js';
import type { ManifestPage } from './manifest/manifest.js';
import { write } from './output.js';

/** How much was found. */
export interface Tally {
  readonly pages: number;
  readonly pagesWithTools: number;
  readonly tools: number;
  readonly errors: number;
  readonly warnings: number;
}

export const nothing: Tally = { pages: 0, pagesWithTools: 0, tools: 0, errors: 0, warnings: 0 };

/** A tally with one more page. */
export const count = (tally: Tally, { tools, diagnostics }: ManifestPage): Tally => ({
  pages: tally.pages + 1,
  pagesWithTools: tally.pagesWithTools + Number(tools.length > 0),
  tools: tally.tools + tools.length,
  errors: tally.errors + diagnostics.filter(({ severity }) => severity === 'error').length,
  warnings: tally.warnings + diagnostics.filter(({ severity }) => severity === 'warning').length,
});

/** A tally as a person reads it. */
export const summary = ({ pages, pagesWithTools, tools, errors, warnings }: Tally): string =>
  `${counted(tools, 'tool')} on ${pagesWithTools} of ${counted(pages, 'page')}, ` +
  `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** A page's diagnostics, each on a line of its own: `file:line:column severity code message`. */
export const diagnosticLines = (file: string, { diagnostics }: ManifestPage): string =>
  diagnostics.map((diagnostic) => `${oneLine(diagnosticText(file, diagnostic))}\n`).join('');

function diagnosticText(file: string, { severity, code, message, location }: Diagnostic): string {
  const place = location ? `${file}:${location.line}:${location.column}` : file;
  return `${place} ${severity} ${code} ${message}`;
}

/** Text for a terminal: names come from pages and may hold line breaks, control sequences, and what turns text around. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ').trim();

/** What is told of the run itself, each on a line of its own. */
export const warningLines = (warnings: readonly string[] = []): string =>
  warnings.map((warning) => `webmcp-forms: ${oneLine(warning)}\n`).join('');

/** Writes what a person reads; nobody listening is no reason to stop. */
export const tell = (stderr: Writable, text: string): Promise<void> =>
  text === '' ? Promise.resolve() : write(stderr, text).catch(() => undefined);
