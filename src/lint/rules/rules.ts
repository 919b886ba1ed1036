import { nearest } from '../edit-distance.js';
import { agentRules } from './agents.js';
import { annotationRules } from './annotations.js';
import { wordingRules } from './wording.js';
import { diagnosticRules } from './diagnostics.js';
import { exposureRules } from './exposure.js';
import { referenceRules } from './references.js';
import { defineRules, type Rule, type RuleLevel, type Severity } from './rule.js';
import { submissionRules } from './submission.js';
import { valueRules } from './values.js';

/** The rules that compare pages, which `lintSite` checks. */
export const siteRules = defineRules({
  'conflicting-tool-name': {
    level: 'warning',
    summary: 'Pages of a site use one toolname for different tools.',
  },
  'indistinct-tools': {
    level: 'info',
    summary: 'Equal tools on several pages are submitted to different URLs.',
  },
  'optional-form-not-found': {
    level: 'info',
    summary: 'The form of an optional <webmcp-tool> is missing on all pages.',
  },
});

/** The rules about components, which only the linter of component files checks. */
const componentRules = defineRules({
  'unreadable-form': { level: 'info', summary: 'A form of a component is written by code, so it is not checked.' },
});

const commentRules = defineRules({
  'unused-disable': { level: 'warning', summary: 'A comment does not disable a finding.' },
});

/** Every rule by its code. To add a rule, add it to the table of its file. */
export const rules = {
  ...diagnosticRules,
  ...wordingRules,
  ...siteRules,
  ...submissionRules,
  ...exposureRules,
  ...agentRules,
  ...referenceRules,
  ...valueRules,
  ...annotationRules,
  ...componentRules,
  ...commentRules,
};

export type RuleCode = keyof typeof rules;
export const ruleEntries = Object.entries(rules) as readonly (readonly [RuleCode, Rule])[];
export const ruleCodes = ruleEntries.map(([code]) => code);

export const isRuleCode = (code: string): code is RuleCode => Object.hasOwn(rules, code);

export function unknownRule(code: string): string {
  const near = nearest(code, ruleCodes);
  return `The rule "${code.slice(0, 60)}" does not exist.${near === undefined ? '' : ` Did you mean "${near}"?`}`;
}

export type RuleLevels = Readonly<Partial<Record<RuleCode, RuleLevel>>>;

/** Precedence: the configuration, the violation, the rule's default. */
export const levelOf = (levels: RuleLevels, code: RuleCode, severity?: Severity): RuleLevel =>
  levels[code] ?? severity ?? rules[code].level;

export const isOn = (levels: RuleLevels, code: RuleCode): boolean => levelOf(levels, code) !== 'off';
