import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from '../site/generator.js';
import { countOf, oneLine, printableColumns, printableJson, type Paint } from '../site/printable.js';
import { truncate } from '../visible-text.js';
import type { Finding } from './finding.js';
import type { PageFindings } from './lint.js';
import type { Place } from './page/place.js';
import type { Fix, RuleLevel, Severity } from './rules/rule.js';
import { ruleCodes, ruleEntries } from './rules/rules.js';

export interface FileFindings extends PageFindings {
  readonly file: string;
  /** The source lines of findings, by their numbers, for a terminal. */
  readonly lines?: ReadonlyMap<number, string>;
}

export interface LintTally {
  readonly pages: number;
  /** The number of files with components, such as TSX. */
  readonly components: number;
  readonly tools: number;
  /** The number of forms without annotations. */
  readonly plainForms: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly fixed: number;
}

interface Report {
  readonly files: readonly FileFindings[];
  readonly tally: LintTally;
  /** A message for a site whose forms are not tools. */
  readonly notice?: string | undefined;
}

export type Format = (report: Report) => Iterable<string>;

export function tallyOf(
  files: readonly FileFindings[],
  { components, tools, plainForms, fixed }: Pick<LintTally, 'components' | 'tools' | 'plainForms' | 'fixed'>,
): LintTally {
  const found = { error: 0, warning: 0, info: 0 };
  for (const { findings } of files) for (const { severity } of findings) found[severity]++;
  const { error: errors, warning: warnings, info: infos } = found;
  return { pages: files.length - components, components, tools, plainForms, errors, warnings, infos, fixed };
}

export function formatTally({ pages, components, plainForms, fixed, ...tally }: LintTally): string {
  const parts = [
    pages > 0 || components === 0 ? countOf(pages, 'page') : '',
    components > 0 ? countOf(components, 'component file') : '',
    countOf(tally.tools, 'tool'),
    plainForms > 0 ? `${countOf(plainForms, 'form')} without annotations` : '',
    `${countOf(tally.errors, 'error')}, ${countOf(tally.warnings, 'warning')}, ${tally.infos} info`,
    fixed > 0 ? `${fixed} fixed` : '',
  ];
  return parts.filter(Boolean).join(', ');
}

/** One line per finding, `file:line:column severity code message`, followed by its source line if it is known. */
export const textFormat = (paint: Paint): Format =>
  function* ({ files }) {
    for (const file of files) for (const finding of file.findings) yield formatFinding(file, finding, paint);
  };

const styles = { error: 'red', warning: 'yellow', info: 'cyan' } as const satisfies Record<Severity, string>;

function formatFinding({ file, lines }: FileFindings, finding: Finding, paint: Paint): string {
  const { severity, code, message, location, tool, parameter } = finding;
  const place = oneLine(location ? `${file}:${location.line}:${location.column}` : file);
  const subject = [tool && `tool ${tool}`, parameter && `parameter ${parameter}`].filter(Boolean).join(', ');
  const text = oneLine(subject ? `${message} (${truncate(subject, 160)})` : message);
  const line = `${paint('underline', place)} ${paint(styles[severity], severity)} ${paint('dim', code)} ${text}\n`;
  const source = location && lines?.get(location.line);
  return !location || source === undefined
    ? line
    : line + codeFrame(source, location, paint(styles[severity], '^'), paint);
}

const frameWidth = 100;

function codeFrame(source: string, { line, column }: Place, mark: string, paint: Paint): string {
  const start = column > frameWidth / 2 ? column - 20 : 0;
  const margin = ' '.repeat(String(line).length);
  const shown = source.slice(start, start + frameWidth);
  const gutter = (text: string): string => paint('dim', `  ${text} |`);
  const indent = ' '.repeat(Math.max(0, column - 1 - start));
  return `${gutter(String(line))} ${printableColumns(shown).trimEnd()}\n${gutter(margin)} ${indent}${mark}\n`;
}

/** One object with a summary and the findings; each finding is on one line. */
export const jsonFormat: Format = function* ({ files, tally, notice }) {
  yield `{\n  "summary": ${printableJson({ ...tally, notice })},\n  "findings": [`;
  let separator = '\n';
  for (const { file, path, findings } of files) {
    for (const finding of findings) {
      yield `${separator}    ${printableJson({ file, path, ...finding })}`;
      separator = ',\n';
    }
  }
  yield separator === '\n' ? ']\n}\n' : '\n  ]\n}\n';
};

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
export const githubFormat: Format = function* ({ files, notice }) {
  if (notice !== undefined) yield `::notice::${escapeData(notice)}\n`;
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

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export const sarifFormat: Format = function* ({ files, tally, notice }) {
  const [head = '', tail = ''] = printableJson(logWith(['results'], tally, notice)).split('"results"]');
  yield head;
  let separator = '\n';
  for (const { file, findings } of files) {
    const uri = uriOf(file);
    for (const finding of findings) {
      yield separator + printableJson(resultOf(uri, finding));
      separator = ',\n';
    }
  }
  yield `]${tail}\n`;
};

const levels: Readonly<Record<RuleLevel, string>> = { error: 'error', warning: 'warning', info: 'note', off: 'note' };

const logWith = (results: readonly unknown[], properties: LintTally, notice: string | undefined) => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'webmcp-forms',
          version,
          rules: ruleEntries.map(([id, { summary, level }]) => ({
            id,
            shortDescription: { text: summary },
            defaultConfiguration: { enabled: level !== 'off', level: levels[level] },
          })),
        },
      },
      columnKind: 'utf16CodeUnits',
      properties,
      ...(notice !== undefined && {
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: [{ level: 'note', message: { text: notice } }],
          },
        ],
      }),
      results,
    },
  ],
});

/** The URI of a file. Relative names stay relative, so that a code host finds the file in its checkout. */
function uriOf(file: string): string {
  if (file === '<stdin>') return 'stdin';
  if (/^https?:\/\//.test(file)) return file;
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(sep).map(encodeURIComponent).join('/');
}

function resultOf(uri: string, { code, severity, message, location, tool, parameter, fix }: Finding): unknown {
  const region = location && regionOf(location);
  return {
    ruleId: code,
    ruleIndex: ruleCodes.indexOf(code),
    level: levels[severity],
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri }, ...(region && { region }) } }],
    ...(fix && { fixes: [fixOf(uri, fix)] }),
    ...((tool ?? parameter) && { properties: { tool, parameter } }),
  };
}

const regionOf = ({ line, column, endLine, endColumn }: Place) => ({
  startLine: line,
  startColumn: column,
  ...(endLine !== undefined && { endLine }),
  ...(endColumn !== undefined && { endColumn }),
});

const fixOf = (uri: string, { title, place, attribute, after }: Fix) => ({
  description: { text: title },
  artifactChanges: [
    {
      artifactLocation: { uri },
      replacements: [
        { deletedRegion: regionOf(place), insertedContent: { text: after === null ? '' : `${attribute}="${after}"` } },
      ],
    },
  ],
});
