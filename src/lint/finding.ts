import type { RuleCode } from './rules/rules.js';

export const severities = ['error', 'warning', 'info'] as const;

/** An error keeps a tool from working or endangers people; a warning is worth a change; info is worth a look. */
export type Severity = (typeof severities)[number];

/** A part of a page's text: 1-based lines and columns in UTF-16 code units; the end is the first column after it. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** A change of a page's text that changes no tool for the worse. */
export interface Fix {
  /** What it does, as a sentence in the imperative. */
  readonly title: string;
  /** The attribute that it is about, in lower case: a fix is applied where that stands, and nowhere else. */
  readonly attribute: string;
  /** Where the attribute stands, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** The attribute's new value; null takes the attribute away. */
  readonly after: string | null;
  readonly place: Place;
}

/** What is wrong, or could be better, with the tools of a page. */
export interface Finding {
  readonly code: RuleCode;
  readonly severity: Severity;
  /** What it is and the way out. */
  readonly message: string;
  /** The tool that it concerns. */
  readonly tool?: string;
  /** The control that it concerns, by its `name`. */
  readonly parameter?: string;
  readonly location?: Place;
  readonly fix?: Fix;
}

/** The order of findings: by place, then by code. */
export const byPlace = (one: Finding, other: Finding): number =>
  (one.location?.line ?? 0) - (other.location?.line ?? 0) ||
  (one.location?.column ?? 0) - (other.location?.column ?? 0) ||
  Number(one.code > other.code) - Number(one.code < other.code);
