import type { DiagnosticCode } from '../../compiler/index.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import { selectorAttributes } from '../../compiler/tool-element/form-selector.js';
import { spellings } from '../page/place.js';
import { trimToolName } from './annotations.js';
import type { LintedTool, Rule, Severity, Violation } from './rule.js';

export interface DiagnosticRule extends Rule {
  /** The attributes that cause the problem; if empty, the place is the start tag. */
  readonly attributes: readonly string[];
}

const define =
  (level: Severity) =>
  (summary: string, ...attributes: readonly string[]): DiagnosticRule => ({ level, summary, attributes });
const error = define('error');
const warning = define('warning');
const info = define('info');

export const diagnosticRules: Readonly<Record<DiagnosticCode, DiagnosticRule>> = {
  'missing-tool-name': error('A form with a tooldescription has no toolname.', ...spellings('tooldescription')),
  'invalid-tool-name': error(
    'A toolname is not 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop.',
    ...spellings('toolname'),
  ),
  'missing-tool-description': error(
    'A form with a toolname has no tooldescription, or an empty one.',
    ...spellings('tooldescription'),
    ...spellings('toolname'),
  ),
  'duplicate-tool-name': error('Two forms of a page have the same toolname.', ...spellings('toolname')),
  'missing-submit-button': error('A form without toolautosubmit has no enabled submit button.'),
  'missing-parameter-name': warning('A control has no name.'),
  'missing-parameter-description': warning('A parameter has no description on the page.'),
  'duplicate-parameter-name': warning(
    'Several controls share a name, so Chromium does not make a parameter of them.',
    'name',
  ),
  'unreachable-required-control': error('A required control is not a parameter.', 'required'),
  'invalid-pattern': warning('A pattern is not a valid regular expression with the v flag.', 'pattern'),
  'unsupported-pattern': warning('JSON Schema cannot express a pattern.', 'pattern'),
  'invalid-parameter-schema': error('A toolparamschema is not a valid JSON Schema.', 'toolparamschema'),
  'no-legal-value': error('No value satisfies the constraints of a control.'),
  'limit-exceeded': warning('A form, a description or a list exceeds a limit.'),
  'no-options': warning('A select has no enabled option.'),
  'excluded-trap': info('A control is a trap for programs, so it is not a parameter.'),
  'excluded-captcha': info('A control takes the answer of a captcha, so it is not a parameter.'),
  'excluded-secret': info('A control takes a secret, according to its name or label, so it is not a parameter.'),
  'captcha-in-form': info('A form has a captcha, so that only a user can submit it.'),
  'secondary-first-button': info('The first submit button of a form is not its main button.'),
  'unknown-submitter': warning(
    'A data-webmcp-submitter does not name exactly one submit button.',
    'data-webmcp-submitter',
    'submitter',
  ),
  'form-not-found': error('The selector of a <webmcp-tool> does not refer to one form.', ...selectorAttributes),
  'form-is-annotated': error(
    'A <webmcp-tool> refers to a form that is a tool by its own annotations.',
    ...selectorAttributes,
  ),
  'form-is-taken': error('Two <webmcp-tool> elements refer to the same form.', ...selectorAttributes),
  'unknown-control': warning('A <webmcp-param> does not match the name of a control of the form.', 'name'),
  'invalid-param': error('A <webmcp-param> has an invalid attribute, or no unique name.'),
  'invalid-schema': error('The schema of a <webmcp-tool> is not a JSON object.'),
  'ignored-param': warning('A <webmcp-tool> has a schema, so its parameters are ignored.'),
  'unknown-profile': warning('The profile of a <webmcp-tool> is unknown.', 'profile'),
  'unknown-sensitive': warning('The sensitive attribute of a <webmcp-tool> has an unknown value.', 'sensitive'),
  'unknown-response': warning('The response attribute of a <webmcp-tool> has an unknown value.', 'response'),
  'control-outside-form': warning('A control belongs to a form only by its attribute form.', 'form'),
  'unreadable-page': error('A page exceeds the limits of time, memory or size, or is not text.'),
  'session-dependent-tool': info('A page has a tool only in one of the sessions that it was read in.'),
};

type DiagnosticViolation = Violation & { readonly code: DiagnosticCode; readonly severity: Severity };

export function* readDiagnostics(tool: LintedTool): Generator<DiagnosticViolation> {
  const { diagnostics, element, formElement = element, controls, params = [] } = tool;
  if (diagnostics.length === 0) return;
  const elements = byStartTag([element, formElement, ...params, ...controls]);
  for (const { code, severity, message, parameter, location } of diagnostics) {
    const { attributes } = diagnosticRules[code];
    const own = location && elements.get(`${location.line}:${location.column}`);
    const fix = code === 'invalid-tool-name' ? trimToolName(element) : undefined;
    yield { code, severity, message, parameter, element: own ?? element, attributes, fix };
  }
}

const byStartTag = (elements: readonly Parse5Element[]): ReadonlyMap<string, Parse5Element> =>
  new Map(
    elements.map((element) => {
      const range = element.sourceCodeLocation;
      return [`${range?.startLine}:${range?.startCol}`, element] as const;
    }),
  );
