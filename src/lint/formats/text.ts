import { styleText } from 'node:util';
import { oneLine } from '../../site/printable.js';
import type { Finding } from '../finding.js';
import type { Place } from '../page/place.js';
import type { Severity } from '../rules/rule.js';
import type { FileFindings, Format } from './report.js';

type Style = 'red' | 'yellow' | 'cyan' | 'dim' | 'underline';
type Paint = (style: Style, text: string) => string;

/** One line per finding, `file:line:column severity code message`, followed by its source line if it is known. */
export const textFormat = (isColored: boolean): Format =>
  function* ({ files }) {
    const paint: Paint = (style, text) => (isColored ? styleText(style, text) : text);
    for (const file of files) for (const finding of file.findings) yield formatFinding(file, finding, paint);
  };

const styles: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'cyan' };

function formatFinding({ file, lines }: FileFindings, finding: Finding, paint: Paint): string {
  const { severity, code, message, location, tool, parameter } = finding;
  const place = oneLine(location ? `${file}:${location.line}:${location.column}` : file);
  const subject = [tool && `tool ${tool}`, parameter && `parameter ${parameter}`].filter(Boolean).join(', ');
  const text = oneLine(subject ? `${message} (${shorten(subject)})` : message);
  const line = `${paint('underline', place)} ${paint(styles[severity], severity)} ${paint('dim', code)} ${text}\n`;
  const source = location && lines?.get(location.line);
  return !location || source === undefined
    ? line
    : line + codeFrame(source, location, paint(styles[severity], '^'), paint);
}

const shorten = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}...` : text);

const frameWidth = 100;

function codeFrame(source: string, { line, column }: Place, mark: string, paint: Paint): string {
  const start = column > frameWidth / 2 ? column - 20 : 0;
  const margin = ' '.repeat(String(line).length);
  const shown = source.slice(start, start + frameWidth);
  const gutter = (text: string): string => paint('dim', `  ${text} |`);
  const indent = ' '.repeat(Math.max(0, column - 1 - start));
  return `${gutter(String(line))} ${printable(shown)}\n${gutter(margin)} ${indent}${mark}\n`;
}

/** Replaces characters that would move the cursor or hide text, without changing the columns. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ').trimEnd();
