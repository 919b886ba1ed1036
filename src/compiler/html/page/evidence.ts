import { groupBy } from '../../../group-by.js';
import { ancestors, descendants } from '../../tree.js';
import { nameSet } from '../elements.js';
import type { AnsweredCall } from './answered-call.js';
import { isInText, isProse, proseText, type Prose } from './prose.js';
import { renderedTexts } from './rendered-tree.js';
import { quietNames, type PageForm, type PagePlace, type Survey } from './survey.js';

export interface AnswerContext {
  /** The URL of the page. @default '' */
  readonly url?: string;
  /** The status of the response, if it is known. */
  readonly status?: number | undefined;
  /** The form of the call, if the page still has the element. */
  readonly form?: unknown;
  /** The call that the page answers, if any. */
  readonly call?: AnsweredCall | undefined;
}

/** Whether a message at a place of the page is the site's answer to a call. */
export type IsAnswer<Element> = (text: string, place: PagePlace<Element>, isError: boolean) => boolean;

/**
 * Returns a function that decides whether a message is an answer, by the first of these rules that applies:
 * 1. A message that the call has sent, or that is in prose without the form of the call, is not an answer.
 * 2. A message that was shown before is an answer only if it is an error in the form of the call, outside of running
 *    text, and the page is the same.
 * 3. A message in the form of the call, or on a page with a server error, is an answer.
 * 4. If the page before had too many messages to compare, or if the page still has the form element of the call and the
 *    message is in another form, the message is not an answer.
 * 5. A message in running text is not an answer. Any other message is an answer if the page is the same, or if the
 *    message is at the beginning of the content.
 *
 * A message that a similar other form had before is not regarded as in the form of the call. No form counts as the form
 * of the call if several are similar, or if the page before had too many other forms to compare. A form in prose belongs
 * to a visitor, unless the URL is the same and the form of the call was in the same prose before. The page is the same
 * if it has the URL of the page before, or the title of that page and the form of the call.
 */
export function answersOf<Node, Element extends Node>(
  survey: Survey<Node, Element>,
  { url = '', status = 0, form, call }: AnswerContext,
): IsAnswer<Element> {
  const { tree } = survey;
  const { names, sent = [], before } = call ?? {};
  const isSamePage = before !== undefined && withoutHash(before.url) === withoutHash(url);
  const isOfSite = ({ element }: PageForm<Element>): boolean => {
    const prose = proseText(survey.proseOf(element));
    return prose === '' || (prose !== undefined && isSamePage && prose === before.prose);
  };
  const known = survey.forms.filter(({ element }) => element === form);
  const alike = survey.forms.filter((each) => (!names || isSimilar(each.names, names)) && isOfSite(each));
  const similar = known.length > 0 ? known : alike;
  const isUnknown = before !== undefined && before.others === undefined;
  // If there are several similar forms, one of them may be the markup of a visitor.
  const own = new Set(names && (isUnknown || similar.length > 1) ? [] : similar);
  const others = before?.others?.filter((form) => isSimilar(new Set(form.names), names ?? [])) ?? [];
  const foreign = new Set(others.flatMap(({ texts }) => texts));
  const open = new Set<Prose>(); // prose around the form is part of an application
  for (const { element } of own) for (let prose = survey.proseOf(element); prose; prose = prose.outer) open.add(prose);
  const parts = new Set<Node>(); // the elements around the controls of the call
  const byName = groupBy(survey.controls, ({ name }) => name);
  for (const name of names ?? []) {
    const [control, other] = byName.get(name) ?? [];
    // A second control of the name may be the markup of a visitor.
    if (control && !other) for (const up of ancestors(tree, control.element)) parts.add(up);
  }
  const isSent = sentTexts(sent);
  const old = new Set(before?.texts);
  const isCountless = before !== undefined && before.texts === undefined;
  const title = titleOf(survey);
  const isFormAgain = own.size > 0 && title !== '' && title === before?.title;
  const isComparable = isFormAgain || isSamePage;
  const isFailure = status >= 500; // such a page has no content of visitors
  const isKnown = isComparable && similar.length > 0;
  const isLayout = layoutOf(survey, similar, isKnown);
  const textsOf = contentsIn(survey, 'all');
  const contentsOf = isKnown ? textsOf : contentsIn(survey, 'entries');
  return (text, place, isError) => {
    for (let prose = survey.proseOf(place.element); prose; prose = prose.outer) if (!open.has(prose)) return false;
    if (isSent(text)) return false;
    const isInForm = place.form !== undefined && own.has(place.form) && !foreign.has(text);
    if (old.has(text))
      return isError && isInForm && isComparable && !isInText(tree, place.element, (node) => parts.has(node), textsOf);
    if (isInForm || isFailure) return true;
    if (isCountless || (known.length > 0 && place.form)) return false; // the text is in another form
    const { element, isLate } = outermost(place);
    return (isComparable || !isLate) && !isInText(tree, element, isLayout, contentsOf, textsOf);
  };
}

/**
 * Returns a predicate for elements that are part of the layout of the page. The layout consists of the body, the common
 * ancestors of the forms that are similar to the form of the call, the main element with its ancestors and, if the page
 * does not show the form again, the ancestors of its first heading. Elements such as `<header>` directly in these also
 * belong to it.
 */
function layoutOf<Node, Element extends Node>(
  survey: Survey<Node, Element>,
  forms: readonly PageForm<Element>[],
  isKnown: boolean,
): (node: Node) => boolean {
  const { tree } = survey;
  const paths = forms.map(({ element }) => new Set<Node>(ancestors(tree, element)));
  const around = new Set([...(paths[0] ?? [])].filter((up) => paths.every((path) => path.has(up))));
  const isBody = (node: Node | null): boolean => node === survey.body;
  const isOfPage = (node: Element): boolean =>
    layoutNames.has(tree.localName(node)) && around.has(tree.parent(node) as Node);
  const isLayout = (node: Node): boolean =>
    around.has(node) ||
    isBody(node) ||
    (around.size === 0 && isBody(tree.parent(node))) ||
    (tree.isElement(node) && isOfPage(node));
  const noteLayout = (mark: Element | undefined, contentsOf: (element: Element) => readonly Node[]): void => {
    if (!mark || isInText(tree, mark, isLayout, contentsOf)) return;
    if (mark === survey.main) around.add(mark); // unlike the main element, a heading is not part of the layout
    for (const up of ancestors(tree, mark)) around.add(up);
  };
  noteLayout(survey.main, contentsIn(survey, 'texts'));
  if (!isKnown) noteLayout(survey.heading, () => []);
  return isLayout;
}

function outermost<Element>(place: PagePlace<Element>): PagePlace<Element> {
  let whole = place;
  while (whole.outer) whole = whole.outer;
  return whole;
}

/** Elements that belong to the layout of a page only if they are directly in it, because visitors can write them too. */
const layoutNames = nameSet('main form header footer aside nav dialog');
const textNames = nameSet('p blockquote pre');
/** Elements that name the author, the topic or the time of an entry. */
const entryNames = nameSet('a img time');
const maxChildren = 200;

/**
 * `texts`: paragraphs and bare text; `entries`: also elements with an author, a topic or a time; `all`: also other
 * elements with text, except elements such as headings.
 */
type Contents = 'texts' | 'entries' | 'all';

/** Returns a function that finds the content among the first children of an element. Messages and prose are not content. */
function contentsIn<Node, Element extends Node>(
  { tree, regions }: Survey<Node, Element>,
  contents: Contents,
): (element: Element) => readonly Node[] {
  const skip = (element: Element): boolean => regions.has(element) || isProse(tree, element);
  const isOfEntry = (node: Node): boolean => tree.isElement(node) && entryNames.has(tree.localName(node));
  const isContent = (node: Node): boolean => {
    if (!tree.isElement(node)) return /\p{L}/u.test(tree.text(node) ?? '');
    if (skip(node)) return false;
    const name = tree.localName(node);
    if (textNames.has(name)) return true;
    if (contents === 'texts') return false;
    if (isOfEntry(node)) return true;
    if (name !== 'form') for (const each of descendants(tree, node)) if (isOfEntry(each)) return true;
    if (quietNames.has(name)) return false;
    return contents === 'all' && renderedTexts(tree, node, { skip, limit: 200 }).length > 0;
  };
  const known = new Map<Element, readonly Node[]>();
  return (element) => {
    const found = known.get(element) ?? tree.children(element).slice(0, maxChildren).filter(isContent);
    known.set(element, found);
    return found;
  };
}

const maxTitleLength = 1_000;

/** The text of the main headings of a page, except headings in prose. */
export const titleOf = <Node, Element extends Node>({ tree, titles }: Survey<Node, Element>): string =>
  titles.map((each) => renderedTexts(tree, each, { limit: maxTitleLength })[0]?.text ?? '').join('\n');

/**
 * Whether a form has at least half of the names that a call sent. A page may show the form of the call again without
 * some of its controls.
 */
export const isSimilar = (form: ReadonlySet<string>, sent: readonly string[]): boolean =>
  sent.length > 0 && sent.filter((name) => form.has(name)).length * 2 >= sent.length;

export const withoutHash = (url: string): string => url.replace(/#.*/s, '');

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

/** The parts of a value between tags, other markup and line breaks. */
const partsOf = (value: string): readonly string[] =>
  value
    .replace(/&#(x?)([\da-f]{1,6});/gi, (_, hex: string, digits: string) =>
      String.fromCharCode(parseInt(digits, hex ? 16 : 10)),
    )
    .split(/<[^<>]*>|&\w+;|[^\p{L}\p{N}\p{Zs}\t.,;!?'"’“”()-]+/u)
    .map(lettersOf);

const maxSteps = 1_000_000;

/**
 * Returns a function that decides whether the call has sent a string: it consists of consecutive parts of a value.
 * After too many steps, every string counts as sent.
 */
function sentTexts(values: readonly string[]): (text: string) => boolean {
  const sent = values.map(partsOf);
  let left = maxSteps;
  return (text) => {
    const letters = lettersOf(text);
    return sent.some((parts) =>
      parts.some((_, index) => {
        let joined = '';
        for (let next = index; next < parts.length && joined.length < letters.length; next++) {
          if (--left < 0) return true;
          joined += parts[next];
          if (!letters.startsWith(joined)) return false;
        }
        return joined === letters;
      }),
    );
  };
}
