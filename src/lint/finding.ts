import type { Place } from './page/place.js';
import type { Fix, Severity, SuggestedTool } from './rules/rule.js';
import type { RuleCode } from './rules/rules.js';

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

export const byPlace = (one: Finding, other: Finding): number =>
  (one.location?.line ?? 0) - (other.location?.line ?? 0) ||
  (one.location?.column ?? 0) - (other.location?.column ?? 0) ||
  Number(one.code > other.code) - Number(one.code < other.code);
