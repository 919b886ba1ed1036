import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from '../../site/generator.js';
import { jsonText } from '../../site/json-record.js';
import type { Finding, Place, Severity } from '../finding.js';
import type { Format } from './report.js';
import { ruleCodes, rules, type RuleLevel } from '../rules/rules.js';

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export const sarifFormat: Format = function* ({ files }) {
  const {
    runs: [run],
    ...log
  } = emptyLog();
  const [before, after] = JSON.stringify({ ...log, runs: [{ ...run, results: [0] }] }).split('"results":[0]') as [
    string,
    string,
  ];
  yield `${before}"results":[`;
  let separator = '\n';
  for (const { file, findings } of files) {
    const uri = uriOf(file);
    for (const finding of findings) {
      yield separator + jsonText(resultOf(uri, finding));
      separator = ',\n';
    }
  }
  yield `]${after}\n`;
};

const levels: Readonly<Record<RuleLevel, string>> = { error: 'error', warning: 'warning', info: 'note', off: 'none' };

const emptyLog = () =>
  ({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'webmcp-forms',
            version,
            rules: ruleCodes.map((id) => ({
              id,
              shortDescription: { text: rules[id].summary },
              defaultConfiguration: { enabled: rules[id].level !== 'off', level: defaultLevel(rules[id].level) },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
      },
    ],
  }) as const;

const defaultLevel = (level: RuleLevel): string => levels[level === 'off' ? 'info' : level];

/** A relative name stays relative, so that a code host finds the file in its checkout. */
function uriOf(file: string): string {
  if (file === '<stdin>') return 'stdin';
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(sep).map(encodeURIComponent).join('/');
}

function resultOf(uri: string, { code, severity, message, location, tool, parameter, fix }: Finding): unknown {
  const region = location && regionOf(location);
  return {
    ruleId: code,
    ruleIndex: ruleCodes.indexOf(code),
    level: levels[severity satisfies Severity],
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

const fixOf = (uri: string, { title, place, attribute, after }: NonNullable<Finding['fix']>) => ({
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
