import type { ProfileName } from '../../compiler/index.js';
import type { Parse5Element, Parse5Page } from '../../parse5/parse5-tree.js';
import type { Fix, Place, Severity } from '../finding.js';
import { pageText } from './page-text.js';
import { seenWords, type SeenWords } from './words.js';
import type { ToolReading } from '../../site/tools/read-tools.js';
import type { AnnotationText } from './annotation-texts.js';
import type { RuleCode, RuleLevels } from '../rules/rules.js';

/** What a rule found, on an element of the page. */
export interface Found {
  readonly code: RuleCode;
  readonly message: string;
  /** The element, whose start tag is the place unless an attribute or a place is given. */
  readonly element: Parse5Element;
  /** The attributes that it may concern: the first that the element has. */
  readonly attributes?: readonly string[];
  readonly place?: Place | undefined;
  /** Where the rule itself tells grave cases from others. */
  readonly severity?: Severity;
  /** The control that it concerns, by its `name`. */
  readonly parameter?: string;
  readonly fix?: Fix | undefined;
}

/** What rules may ask of the page around a tool. */
export interface PageContext {
  /** The page's text. */
  readonly html: string;
  readonly profile: ProfileName;
  readonly levels: RuleLevels;
  /** What people see on the page; made when it is asked for. */
  readonly seen: () => SeenWords;
}

/** A tool with what several rules ask of it. */
export interface LintedTool extends ToolReading {
  readonly texts: readonly AnnotationText[];
}

/** Finds what is wrong with one tool. */
export type ToolRule = (tool: LintedTool, context: PageContext) => Iterable<Found>;

/** The context of a page, whose text is read once at most. */
export function pageContext(
  html: string,
  { document, tree }: Parse5Page,
  profile: ProfileName,
  levels: RuleLevels,
): PageContext {
  let seen: SeenWords | undefined;
  return { html, profile, levels, seen: () => (seen ??= seenWords(pageText(tree, document))) };
}
