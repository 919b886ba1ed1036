import type { JsonValue } from '../../json-schema.js';
import { parseJson } from '../../json.js';
import { lazy } from '../../lazy.js';
import { ancestors, descendants, type Tree } from '../tree.js';
import type { PageBefore } from './page/answered-call.js';
import { answersOf, isSimilar, titleOf, type AnswerContext } from './page/evidence.js';
import { ReportReader, type PageError } from './page/report-reader.js';
import { proseText } from './page/prose.js';
import { isChrome, isForScreenReaders, renderedTexts } from './page/rendered-tree.js';
import { Survey } from './page/survey.js';
import { asciiLowercase } from './text.js';
import { TreeReader } from './tree-reader.js';

export { answeredCall, type AnsweredCall, type PageBefore } from './page/answered-call.js';

/** The content of a page. Empty lists are omitted. */
export interface PageContent {
  /** The page's status messages, such as those with the role `status` or `alert`. */
  readonly messages?: readonly string[];
  /** The validation errors that the page shows. */
  readonly errors?: readonly PageError[];
  /** The JSON-LD blocks that are valid JSON. */
  readonly jsonLd?: readonly JsonValue[];
  /** The visible text of the page's main content, at most 50,000 characters by default. */
  readonly text: string;
  /**
   * Set if the page shows the form of the call again without a message or new text. Never set if the text before the call
   * is unknown.
   */
  readonly isUnchanged?: true;
}

export const maxPageTextLength = 50_000;

export interface PageOptions extends AnswerContext {
  /** @default 50,000 */
  readonly maxLength?: number;
}

/** Reads the content of a page. Messages and errors that are not an answer to the call are omitted. */
export function readPageContent<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  document: Node,
  options: PageOptions = {},
): PageContent {
  const survey = new Survey(tree, document);
  const isAnswer = lazy(() => answersOf(survey, options)); // most pages have no messages
  const { messages, errors } = new ReportReader(survey).reports((...message) => isAnswer()(...message));
  const jsonLd = readJsonLd(tree, document);
  const text = mainText(survey);
  const { call } = options;
  const isUnchanged =
    text !== '' &&
    messages.length + errors.length === 0 &&
    survey.forms.some((form) => isSimilar(form.names, call?.names ?? [])) &&
    call?.before?.text === text; // last, because the gateway reads the page before the call only if this is evaluated
  return {
    ...(messages.length > 0 && { messages }),
    ...(errors.length > 0 && { errors }),
    ...(jsonLd.length > 0 && { jsonLd }),
    text: text.slice(0, options.maxLength ?? maxPageTextLength),
    ...(isUnchanged && { isUnchanged }),
  };
}

/**
 * Reads the messages and the identity of a page, or of a part of it, before a call.
 *
 * @param form - the form of the call, if the page has it
 * @param options - `withText`: whether to read the main text too, for comparison with the answer
 */
export function readPageBefore<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
  url: string,
  form: Element | null = null,
  { withText = false } = {},
): PageBefore {
  const survey = new Survey(tree, root);
  const prose = form === null ? undefined : proseText(survey.proseOf(form));
  const before = { url, title: titleOf(survey), prose, ...new ReportReader(survey).texts(form) };
  return withText ? { ...before, text: mainText(survey) } : before;
}

/**
 * The validation errors that a page, or a part of it, shows after a call.
 *
 * @param options - `isStanding`: whether alerts are errors too, because the page shows no other result of the call
 */
export function readPageErrors<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
  { isStanding, ...options }: PageOptions & { readonly isStanding?: boolean },
): readonly PageError[] {
  const survey = new Survey(tree, root);
  return new ReportReader(survey).reports(answersOf(survey, options), isStanding).errors;
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

const contentIds = ['content', 'main', 'main-content', 'maincontent', 'page-content', 'wpbody-content'] as const;

/**
 * The rendered text of the page's main content: `<main>`, else an element with a usual ID, else the body. Menus,
 * headers and footers in it come last. Each list item and each row of a table is a line.
 */
function mainText<Node, Element extends Node>(survey: Survey<Node, Element>): string {
  const { tree, body, headings } = survey;
  const root = survey.main ?? contentById(survey) ?? body;
  if (!root) return '';
  const kept = new Set<Node>(headings.flatMap((heading) => [...ancestors(tree, heading)]));
  const chrome: Element[] = [];
  const skip = (element: Element, isStart: boolean): boolean => {
    if (isStart && isForScreenReaders(tree, element)) return true;
    const isSkipped = isChrome(tree, element) && !kept.has(element);
    if (isSkipped) chrome.push(element);
    return isSkipped;
  };
  const read = (element: Element): string => renderedTexts(tree, element, { skip, hasLines: true })[0]?.text ?? '';
  const texts = [read(root)];
  for (const element of chrome) texts.push(read(element));
  return texts.filter(Boolean).join('\n');
}

function contentById<Node, Element extends Node>({
  tree,
  ids,
  headings,
  controlOf,
  proseOf,
}: Survey<Node, Element>): Element | undefined {
  const idOf = (node: Node): string => (tree.isElement(node) && tree.attribute(node, 'id')) || '';
  const around = headings.flatMap((heading) => [...ancestors(tree, heading)].map(idOf));
  for (const id of [...contentIds, ...around.filter((each) => /[-_]content$/.test(each))]) {
    const found = ids.get(id)?.find(({ element, isFirst }) => isFirst && !proseOf(element) && !controlOf.has(element));
    if (found) return found.element; // WordPress has a textarea#content
  }
  return undefined;
}
