import type { Place } from './page/place.js';
import type { Fix, Severity, SuggestedTool } from './rules/rule.js';
import { levelOf, type RuleCode, type RuleLevels } from './rules/rules.js';

/** A problem with the tools of a page. */
export interface Finding {
  readonly code: RuleCode;
  readonly severity: Severity;
  /** The problem, followed by its solution. */
  readonly message: string;
  readonly tool?: string;
  /** The `name` of the control that causes the problem. */
  readonly parameter?: string;
  readonly location?: Place;
  readonly fix?: Fix;
  /** The suggestion of `form-without-tool`, if the page has enough information about the form. */
  readonly suggestion?: SuggestedTool;
}

/**
 * The findings of a rule; empty if the rule is off.
 *
 * @param own - the severity of these problems, if it differs from the severity of the rule
 */
export function findingsOf(
  levels: RuleLevels,
  code: RuleCode,
  problems: readonly Omit<Finding, 'code' | 'severity'>[],
  own?: Severity,
): readonly Finding[] {
  const severity = levelOf(levels, code, own);
  return severity === 'off' ? [] : problems.map((problem) => ({ code, severity, ...problem }));
}

export const byPlace = (one: Finding, other: Finding): number =>
  (one.location?.line ?? 0) - (other.location?.line ?? 0) ||
  (one.location?.column ?? 0) - (other.location?.column ?? 0) ||
  Number(one.code > other.code) - Number(one.code < other.code);
