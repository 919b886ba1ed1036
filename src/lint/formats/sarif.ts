import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from '../../site/generator.js';
import { printableJson } from '../../site/printable.js';
import type { Finding } from '../finding.js';
import type { Place } from '../page/place.js';
import type { Fix, RuleLevel } from '../rules/rule.js';
import { ruleCodes, ruleEntries } from '../rules/rules.js';
import type { Format } from './report.js';

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export const sarifFormat: Format = function* ({ files }) {
  const [head = '', tail = ''] = JSON.stringify(logWith(['results'])).split('"results"]');
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

const logWith = (results: readonly unknown[]) => ({
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
      results,
    },
  ],
});

/** Relative names stay relative, so that a code host finds the file in its checkout. */
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
