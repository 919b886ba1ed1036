import type { Finding, Severity } from '../finding.js';
import type { Format } from './report.js';

/** Workflow commands, which GitHub shows as annotations. */
export const githubFormat: Format = function* ({ files }) {
  for (const { file, findings } of files) for (const finding of findings) yield `${commandOf(file, finding)}\n`;
};

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

function commandOf(file: string, { severity, code, message, location }: Finding): string {
  const properties = [
    ['file', file.replaceAll('\\', '/')],
    ...(location
      ? [
          ['line', location.line],
          ['col', location.column],
        ]
      : []),
    ...(location?.endLine === undefined ? [] : [['endLine', location.endLine]]),
    ['title', code],
  ] as const;
  const list = properties.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',');
  return `::${commands[severity]} ${list}::${escapeData(message)}`;
}

/** https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
const escapeData = (text: string): string =>
  text
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ');

const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
