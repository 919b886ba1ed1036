import type { JsonValue } from '../../json-schema.js';
import { parseJson } from '../../json.js';
import { descendants, type Tree } from '../tree.js';
import type { PageBefore } from './page/answered-call.js';
import { answersOf, titleOf, type AnswerContext } from './page/evidence.js';
import { mainText } from './page/main-text.js';
import { readReports, readTexts, type PageError } from './page/page-errors.js';
import { proseText } from './page/prose.js';
import { surveyPage } from './page/survey.js';
import { asciiLowercase } from './text.js';
import { TreeReader } from './tree-reader.js';

export { answeredCall, type AnsweredCall, type PageBefore } from './page/answered-call.js';

/** Empty lists are omitted. */
export interface PageContent {
  /** The page's status messages, such as those with the role `status` or `alert`. */
  readonly messages?: readonly string[];
  /** The validation errors that the page shows. */
  readonly errors?: readonly PageError[];
  /** The JSON-LD blocks that are valid JSON. */
  readonly jsonLd?: readonly JsonValue[];
  /** The visible text of the page's main content, at most 50,000 characters by default. */
  readonly text: string;
}

export const maxPageTextLength = 50_000;

export interface PageOptions extends AnswerContext {
  /** @default 50,000 */
  readonly maxLength?: number;
}

/** The content of a page, as far as it is new. */
export function readPageContent<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  document: Node,
  options: PageOptions = {},
): PageContent {
  const survey = surveyPage(tree, document);
  const { messages, errors } = readReports(tree, survey, answersOf(tree, survey, options));
  const jsonLd = readJsonLd(tree, document);
  return {
    ...(messages.length > 0 && { messages }),
    ...(errors.length > 0 && { errors }),
    ...(jsonLd.length > 0 && { jsonLd }),
    text: mainText(tree, survey).slice(0, options.maxLength ?? maxPageTextLength),
  };
}

/** The messages of a page, or of a part of it, before a call by its form. */
export function readPageBefore<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
  url: string,
  form: Element | null = null,
): PageBefore {
  const survey = surveyPage(tree, root);
  const prose = form === null ? undefined : proseText(survey.proseOf(form));
  return { url, title: titleOf(tree, survey), prose, ...readTexts(tree, survey, form) };
}

/**
 * The validation errors that a page, or a part of it, shows after a call.
 *
 * @param options - `isStanding`: whether the page is silent, so that alerts are errors, too
 */
export function readPageErrors<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
  { isStanding, ...options }: PageOptions & { readonly isStanding?: boolean },
): readonly PageError[] {
  const survey = surveyPage(tree, root);
  return readReports(tree, survey, answersOf(tree, survey, options), isStanding).errors;
}

function readJsonLd<Node, Element extends Node>(tree: Tree<Node, Element>, document: Node): readonly JsonValue[] {
  const reader = new TreeReader(tree);
  const blocks: JsonValue[] = [];
  for (const node of descendants(tree, document)) {
    if (!reader.isNamed(node, 'script') || !isJsonLd(tree.attribute(node, 'type'))) continue;
    const block = parseJson(reader.descendantTextContent(node));
    if (block !== undefined) blocks.push(block as JsonValue);
  }
  return blocks;
}

const isJsonLd = (type: string | null): boolean => asciiLowercase(type ?? '') === 'application/ld+json';
