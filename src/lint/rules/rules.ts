import type { DiagnosticCode } from '../../compiler/index.js';
import type { Severity } from '../finding.js';

/** How grave the findings of a rule are, or that they are none. */
export type RuleLevel = Severity | 'off';

export interface Rule {
  readonly level: RuleLevel;
  /** What the rule finds, as a sentence. */
  readonly summary: string;
}

const error = (summary: string): Rule => ({ level: 'error', summary });
const warning = (summary: string): Rule => ({ level: 'warning', summary });
const info = (summary: string): Rule => ({ level: 'info', summary });
const off = (summary: string): Rule => ({ level: 'off', summary });

/** The rules that are the compiler's own diagnostics. */
const compilerRules = {
  'missing-tool-name': error('A form with a tooldescription has no toolname.'),
  'invalid-tool-name': error('A toolname is not 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop.'),
  'missing-tool-description': error('A form with a toolname has no tooldescription, or an empty one.'),
  'duplicate-tool-name': error('Two forms of a page have one toolname.'),
  'missing-submit-button': error('A form without toolautosubmit has no submit button that is enabled.'),
  'missing-parameter-name': warning('A control has no name.'),
  'missing-parameter-description': warning('Nothing on the page describes a parameter.'),
  'duplicate-parameter-name': warning('Several controls have one name, so Chromium makes no parameter of them.'),
  'unreachable-required-control': error('A required control is no parameter.'),
  'invalid-pattern': warning('A pattern is no regular expression with the flag v.'),
  'unsayable-pattern': warning('JSON Schema cannot say a pattern.'),
  'invalid-parameter-schema': error('A toolparamschema is no JSON Schema.'),
  'no-legal-value': error('No value satisfies the limits of a control.'),
  'no-options': warning('A select offers no option that is enabled.'),
  'form-not-found': error('The for of a <webmcp-tool> leads to no form.'),
  'form-is-annotated': error('A <webmcp-tool> is for a form that is a tool by its own annotations.'),
  'form-is-taken': error('Two <webmcp-tool> are for one form.'),
  'unknown-control': warning('A <webmcp-param> has the name of no control of the form.'),
  'invalid-param': error('A <webmcp-param> says what cannot be, or has no name of its own.'),
  'invalid-schema': error('The schema of a <webmcp-tool> is no JSON object.'),
  'ignored-param': warning('A <webmcp-tool> has a schema and parameters beside it.'),
  'unknown-profile': warning('The profile of a <webmcp-tool> is unknown.'),
  'unknown-sensitive': warning('The attribute sensitive of a <webmcp-tool> has an unknown value.'),
} as const satisfies Record<DiagnosticCode, Rule>;

const lintRules = {
  'tool-name-too-long': warning('A toolname has more than 30 characters.'),
  'tool-description-too-long': warning('A tooldescription has more than 500 characters.'),
  'parameter-description-too-long': warning('What describes a parameter has more than 150 characters.'),
  'vague-tool-description': warning('A tooldescription says no more than the name, or is a stopgap.'),
  'vague-parameter-description': warning('What describes a parameter is a stopgap.'),
  'description-not-on-page': warning('An annotation shares no word with what people see on the page.'),
  'description-contradicts-control': warning('An annotation promises what its control refuses.'),
  'conflicting-tool-name': warning('One toolname stands for different tools on pages of a site.'),
  'destructive-autosubmit': warning('A form that deletes, cancels, orders or pays has toolautosubmit.'),
  'sensitive-autosubmit': warning('A form with a password, payment data or a one-time code has toolautosubmit.'),
  'autosubmit-value': warning('toolautosubmit has a value that looks like no, and counts all the same.'),
  'search-without-autosubmit': info('A form that only reads waits for a person to submit it.'),
  'exposed-sensitive-control': warning('A password, payment data or a one-time code is a parameter.'),
  'exposed-token': warning('A hidden control that looks like a token is a parameter.'),
  'agent-instruction': warning('An annotation tells agents what to do instead of what the tool does.'),
  'hidden-characters': error('An annotation has characters that people cannot see.'),
  'url-in-description': warning('An annotation has the address of another site.'),
  'unreachable-value': warning('A control offers values that no agent can tell apart, or choose.'),
  'tool-name-not-portable': info('A toolname is refused by clients that take 1 to 64 of A-Z a-z 0-9 _ -.'),
  'parameter-name-not-portable': info('A parameter name is refused by strict clients.'),
  'schema-not-portable': off('An input schema has keywords that strict clients refuse.'),
  'redundant-annotation': warning('An annotation is there in both spellings.'),
  'empty-annotation': warning('An annotation is empty.'),
  'unknown-annotation': warning('An attribute is nearly an annotation.'),
  'form-without-tool': off('A form has no annotation.'),
  'unused-disable': warning('A comment disables findings that are not there.'),
} as const satisfies Record<string, Rule>;

/** Every rule by its code. */
export const rules = { ...compilerRules, ...lintRules };

export type RuleCode = keyof typeof rules;
export const ruleCodes = Object.keys(rules) as readonly RuleCode[];

/** The rules that compare pages: one page alone says nothing of them. */
export const siteRules: ReadonlySet<RuleCode> = new Set<RuleCode>(['conflicting-tool-name']);

export const isRuleCode = (code: string): code is RuleCode => Object.hasOwn(rules, code);

/** The levels that somebody chose. */
export type RuleLevels = Readonly<Partial<Record<RuleCode, RuleLevel>>>;

/** The level of a finding: the chosen one, the finding's own, or the rule's. */
export const levelOf = (levels: RuleLevels, code: RuleCode, own?: Severity): RuleLevel =>
  levels[code] ?? own ?? rules[code].level;

export const isOn = (levels: RuleLevels, code: RuleCode): boolean => levelOf(levels, code) !== 'off';
