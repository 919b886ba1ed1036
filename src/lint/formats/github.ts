import type { Finding } from '../finding.js';
import type { Severity } from '../rules/rule.js';
import type { Format } from './report.js';

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
export const githubFormat: Format = function* ({ files }) {
  for (const { file, findings } of files) for (const finding of findings) yield `${commandOf(file, finding)}\n`;
};

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

function commandOf(file: string, { severity, code, message, location }: Finding): string {
  const properties = {
    file: file.replaceAll('\\', '/'),
    line: location?.line,
    col: location?.column,
    endLine: location?.endLine,
    title: code,
  };
  const list = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${escapeProperty(String(value))}`,
  );
  return `::${commands[severity]} ${list.join(',')}::${escapeData(message)}`;
}

/** https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
const escapeData = (text: string): string =>
  text
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ');

const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
