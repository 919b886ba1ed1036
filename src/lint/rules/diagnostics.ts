import type { DiagnosticCode } from '../../compiler/index.js';
import type { Parse5Element } from '../../parse5/parse5-tree.js';
import { spellings } from '../page/place.js';
import { trimToolName } from './annotations.js';
import type { LintedTool, Rule, Severity, Violation } from './rule.js';

export interface DiagnosticRule extends Rule {
  /** The attributes at fault; without them, the place is the start tag. */
  readonly attributes?: readonly string[];
}

/** The rules that the compiler checks. */
export const diagnosticRules: Readonly<Record<DiagnosticCode, DiagnosticRule>> = {
  'missing-tool-name': {
    level: 'error',
    summary: 'A form with a tooldescription has no toolname.',
    attributes: spellings('tooldescription'),
  },
  'invalid-tool-name': {
    level: 'error',
    summary: 'A toolname is not 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop.',
    attributes: spellings('toolname'),
  },
  'missing-tool-description': {
    level: 'error',
    summary: 'A form with a toolname has no tooldescription, or an empty one.',
    attributes: [...spellings('tooldescription'), ...spellings('toolname')],
  },
  'duplicate-tool-name': {
    level: 'error',
    summary: 'Two forms of a page have the same toolname.',
    attributes: spellings('toolname'),
  },
  'missing-submit-button': {
    level: 'error',
    summary: 'A form without toolautosubmit has no enabled submit button.',
  },
  'missing-parameter-name': { level: 'warning', summary: 'A control has no name.' },
  'missing-parameter-description': { level: 'warning', summary: 'A parameter has no description on the page.' },
  'duplicate-parameter-name': {
    level: 'warning',
    summary: 'Several controls share a name, so Chromium does not make a parameter of them.',
    attributes: ['name'],
  },
  'unreachable-required-control': {
    level: 'error',
    summary: 'A required control is not a parameter.',
    attributes: ['required'],
  },
  'invalid-pattern': {
    level: 'warning',
    summary: 'A pattern is not a valid regular expression with the v flag.',
    attributes: ['pattern'],
  },
  'unsupported-pattern': {
    level: 'warning',
    summary: 'JSON Schema cannot express a pattern.',
    attributes: ['pattern'],
  },
  'invalid-parameter-schema': {
    level: 'error',
    summary: 'A toolparamschema is not a valid JSON Schema.',
    attributes: ['toolparamschema'],
  },
  'no-legal-value': { level: 'error', summary: 'No value satisfies the constraints of a control.' },
  'no-options': { level: 'warning', summary: 'A select has no enabled option.' },
  'form-not-found': {
    level: 'error',
    summary: 'The for attribute of a <webmcp-tool> does not refer to a form.',
    attributes: ['for'],
  },
  'form-is-annotated': {
    level: 'error',
    summary: 'A <webmcp-tool> refers to a form that is a tool by its own annotations.',
    attributes: ['for'],
  },
  'form-is-taken': {
    level: 'error',
    summary: 'Two <webmcp-tool> elements refer to the same form.',
    attributes: ['for'],
  },
  'unknown-control': {
    level: 'warning',
    summary: 'A <webmcp-param> does not match the name of a control of the form.',
    attributes: ['name'],
  },
  'invalid-param': { level: 'error', summary: 'A <webmcp-param> has an invalid attribute, or no unique name.' },
  'invalid-schema': { level: 'error', summary: 'The schema of a <webmcp-tool> is not a JSON object.' },
  'ignored-param': { level: 'warning', summary: 'A <webmcp-tool> has a schema, so its parameters are ignored.' },
  'unknown-profile': {
    level: 'warning',
    summary: 'The profile of a <webmcp-tool> is unknown.',
    attributes: ['profile'],
  },
  'unknown-sensitive': {
    level: 'warning',
    summary: 'The sensitive attribute of a <webmcp-tool> has an unknown value.',
    attributes: ['sensitive'],
  },
};

/** A violation that the compiler reported, with its severity. */
export type DiagnosticViolation = Violation & { readonly code: DiagnosticCode; readonly severity: Severity };

/** The diagnostics of a tool as violations. */
export function* readDiagnostics(tool: LintedTool): Generator<DiagnosticViolation> {
  const { diagnostics, element, formElement = element, controls, params = [] } = tool;
  if (diagnostics.length === 0) return;
  const elements = byStartTag([element, formElement, ...params, ...controls]);
  for (const { code, severity, message, parameter, location } of diagnostics) {
    const { attributes = [] } = diagnosticRules[code];
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
