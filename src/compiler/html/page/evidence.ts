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
 * A message is an answer unless it is in prose or among other paragraphs, was sent by the call, or was shown before. If the page
 * before is unknown or another one, it also has to be at the beginning of the content. A message in the form of the call is an
 * answer unless a similar other form had it, and an error in it also if it was shown before and still holds. If the page
 * before had too many messages to be compared, no other message is an answer. A form in prose is that of a visitor, unless
 * the page had the form of the call in the same prose.
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
  const own = new Set(names && (isUnknown || similar.length > 1) ? [] : similar); // one of several can be a visitor's
  const others = before?.others?.filter((form) => isSimilar(new Set(form.names), names ?? [])) ?? [];
  const foreign = new Set(others.flatMap(({ texts }) => texts));
  const open = new Set<Prose>(); // an article with the form is an application
  for (const { element } of own) for (let prose = survey.proseOf(element); prose; prose = prose.outer) open.add(prose);
  const parts = new Set<Node>(); // the form and the elements in it that contain a control of the call
  const byName = groupBy(survey.controls, ({ name }) => name);
  for (const name of names ?? []) {
    const [control, other] = byName.get(name) ?? [];
    if (control && !other) for (const up of ancestors(tree, control.element)) parts.add(up); // another can be a visitor's
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
    if (isCountless || (known.length > 0 && place.form)) return false; // another form
    const { element, isLate } = outermost(place);
    return (isComparable || !isLate) && !isInText(tree, element, isLayout, contentsOf, textsOf);
  };
}

/**
 * Returns a predicate for elements that are part of the layout of the page: it contains the form of the call, each of several
 * that are like it, the main element or, if the page does not show the form again, its first heading.
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
    if (mark === survey.main) around.add(mark); // a heading is not layout itself
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

/** Parts of a page, if they are directly in its layout: visitors can write them too. */
const layoutNames = nameSet('main form header footer aside nav dialog');
const textNames = nameSet('p blockquote pre');
/** Elements that name the author, the topic or the time of an entry. */
const entryNames = nameSet('a img time');
const maxChildren = 200;

/** `texts`: paragraphs; `entries`: also elements that name an author; `all`: also the text of other elements, except headings and the like. */
type Contents = 'texts' | 'entries' | 'all';

/** Returns a function that finds the first children of an element that are content, except for prose, where visitors write. */
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

/** The main headings of a page, which are its own if the form is shown again. */
export const titleOf = <Node, Element extends Node>({ tree, titles }: Survey<Node, Element>): string =>
  titles.map((each) => renderedTexts(tree, each, { limit: maxTitleLength })[0]?.text ?? '').join('\n');

/** Pages show a form again without some of its controls. */
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

/** Whether the call has sent a string: it consists of consecutive parts of a value. */
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
