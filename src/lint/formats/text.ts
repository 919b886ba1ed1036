import { styleText } from 'node:util';
import { oneLine } from '../../site/report.js';
import type { Finding, Severity } from '../finding.js';
import type { FileFindings, Format } from './report.js';

type Style = 'red' | 'yellow' | 'cyan' | 'dim' | 'underline';
type Paint = (style: Style, text: string) => string;

const plain: Paint = (_, text) => text;
const coloured: Paint = (style, text) => styleText(style, text);

/** Findings, each on a line of its own: `file:line:column severity code message`; with its source where that is known. */
export const textFormat = (isColoured: boolean): Format =>
  function* ({ files }) {
    for (const file of files)
      for (const finding of file.findings) yield textOf(file, finding, isColoured ? coloured : plain);
  };

const styles: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'cyan' };

function textOf({ file, lines }: FileFindings, finding: Finding, paint: Paint): string {
  const { severity, code, message, location, tool, parameter } = finding;
  const place = oneLine(location ? `${file}:${location.line}:${location.column}` : file);
  const about = [tool && `tool ${tool}`, parameter && `parameter ${parameter}`].filter(Boolean).join(', ');
  const said = oneLine(about ? `${message} (${shorten(about)})` : message);
  const line = `${paint('underline', place)} ${paint(styles[severity], severity)} ${paint('dim', code)} ${said}\n`;
  const source = location && lines?.get(location.line);
  return location === undefined || source === undefined
    ? line
    : line + frame(source, location, paint(styles[severity], '^'), paint);
}

const shorten = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}...` : text);

const width = 100;

/** The part of a source line around a column, with a mark under it. */
function frame(
  source: string,
  { line, column }: { readonly line: number; readonly column: number },
  mark: string,
  paint: Paint,
): string {
  const start = column > width / 2 ? column - 20 : 0;
  const number = String(line);
  const margin = ' '.repeat(number.length);
  const shown = source.slice(start, start + width);
  const gutter = (text: string): string => paint('dim', `  ${text} |`);
  return `${gutter(number)} ${clean(shown)}\n${gutter(margin)} ${' '.repeat(Math.max(0, column - 1 - start))}${mark}\n`;
}

/** Each character that would move a terminal's cursor or hide others becomes one space. */
const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ').trimEnd();
