import { isIgnored } from '../../ignored.js';
import { ancestors, type Tree } from '../../tree.js';
import { buttonTypes, nameSet, type ControlType } from '../elements.js';
import { asciiLowercase, splitOnAsciiWhitespace } from '../text.js';
import { createProseReader, type Prose } from './prose.js';
import { severityOf, type Severity } from './region.js';
import { classOf, isChrome, isClosed, isUnrendered, walk } from './rendered-tree.js';

export interface PageControl<Element> {
  readonly element: Element;
  readonly name: string;
  readonly form: PageForm<Element> | undefined;
  /** Whether the page marks it as invalid. */
  readonly isInvalid: boolean;
  /** Whether `aria-invalid` does. */
  readonly isAriaInvalid: boolean;
}

export interface PageForm<Element> {
  readonly element: Element;
  /** The names of its controls. */
  readonly names: Set<string>;
}

/** The place of an element. */
export interface PagePlace<Element> {
  readonly element: Element;
  readonly form: PageForm<Element> | undefined;
  /** The message around it. */
  readonly outer: Region<Element> | undefined;
  /** Whether it is after the beginning of the page's content: after running text, or after a heading of a lower level. */
  readonly isLate: boolean;
  /** Whether it is before the content. Visitors write later than that. */
  readonly isFirst: boolean;
}

/** An element whose text is a message of the page. */
export interface Region<Element> extends PagePlace<Element> {
  severity: Severity;
  /** The number of controls before it. */
  readonly position: number;
  /** Its links to elements of the page. */
  readonly links: Element[];
  /** Whether its own text is not a message, because it contains controls or names of controls. */
  isWrapper: boolean;
}

interface Described {
  /** The number of controls before the element. */
  readonly position: number;
  /** Whether it is a control, not a group of controls. */
  readonly isControl: boolean;
}

/** The facts about the rendered part of a page, in tree order. */
export interface Survey<Element> {
  readonly controls: PageControl<Element>[];
  readonly controlOf: Map<Element, PageControl<Element>>;
  readonly names: Set<string>;
  readonly forms: PageForm<Element>[];
  /** Returns the prose that an element is in. */
  readonly proseOf: (element: Element) => Prose | undefined;
  readonly regions: Map<Element, Region<Element>>;
  /** The elements by their ID, in tree order. */
  readonly ids: Map<string, PagePlace<Element>[]>;
  /** The first label by the value of its `for`. */
  readonly labels: Map<string, Element>;
  /** For each ID, the first two elements that `aria-describedby` connects with it. */
  readonly described: Map<string, Described[]>;
  readonly headings: Element[];
  /** The main headings in the content. */
  readonly titles: Element[];
  /** The first heading of the content. */
  heading?: Element;
  /** The main element that the site has written. */
  main?: Element;
  body?: Element;
  /** The level of the first heading of the content. */
  level?: number;
  /** The length of the running text so far; infinite after a heading of a lower level. */
  textLength: number;
}

interface Place<Element> {
  readonly region?: Region<Element> | undefined;
  readonly form?: PageForm<Element> | undefined;
  /** Whether the place is in an element without running text, such as a form, a link or a menu. */
  readonly isQuiet: boolean;
  readonly isClosed: boolean;
  /** The previous element of the same parent. */
  previous?: Element;
}

const controlNames = nameSet('input select textarea');
/** Elements without running text. */
export const quietNames = nameSet('a button caption dt form h1 h2 h3 h4 h5 h6 label legend summary th');
const maxHeadings = 20;
/** Pages may greet a user before they show a message. */
const maxTextLength = 40;

export function surveyPage<Node, Element extends Node>(tree: Tree<Node, Element>, document: Node): Survey<Element> {
  const survey: Survey<Element> = {
    controls: [],
    controlOf: new Map(),
    names: new Set(),
    forms: [],
    proseOf: createProseReader(tree),
    regions: new Map(),
    ids: new Map(),
    labels: new Map(),
    described: new Map(),
    headings: [],
    titles: [],
    textLength: 0,
  };
  walk<Node, Element, Place<Element>>(
    tree,
    document,
    { isQuiet: false, isClosed: false },
    {
      enter: (node, place) => {
        if (tree.isElement(node)) return enterElement(tree, survey, node, place);
        if (!place.isQuiet) addText(survey, tree.text(node) ?? '');
        return undefined;
      },
    },
  );
  return survey;
}

function addText<Element>(survey: Survey<Element>, text: string): void {
  if (/\p{L}/u.test(text)) survey.textLength += text.trim().length;
}

function enterElement<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  element: Element,
  place: Place<Element>,
): Place<Element> | undefined {
  const name = tree.localName(element);
  if ((place.isClosed && name !== 'summary') || isUnrendered(tree, element)) return undefined;
  if (isIgnored(tree, element)) return undefined;
  const { region: outer, previous, isQuiet } = place;
  const form = name === 'form' ? addForm(survey, element) : place.form;
  const isLate = survey.textLength > maxTextLength;
  const isFirst = !isLate && !survey.heading;
  const own = { element, form, outer, isLate, isFirst };
  note(tree, survey, own, name);
  if (!isQuiet) noteHeading(survey, element, name);
  if (controlNames.has(name)) addControl(tree, survey, element, place);
  if (name === 'a' && tree.attribute(element, 'href')?.startsWith('#')) outer?.links.push(element);
  const previousName = previous && tree.localName(previous);
  const isInMessage = outer !== undefined && outer.form === form;
  const ownSeverity = severityOf(tree, element, name, { form: place.form, isInMessage, previousName });
  const severity = ownSeverity === 'alert' && outer?.severity === 'error' ? 'error' : ownSeverity;
  place.previous = element;
  const position = survey.controls.length;
  const region = severity && { ...own, severity, position, links: [], isWrapper: false };
  if (region) survey.regions.set(element, region);
  if (outer?.severity === 'list' && severity) outer.isWrapper = true;
  return {
    region: region ?? outer,
    form,
    isQuiet: isQuiet || isLate || region !== undefined || quietNames.has(name) || isChrome(tree, element),
    isClosed: isClosed(tree, element),
  };
}

function addForm<Element>({ forms }: Survey<Element>, element: Element): PageForm<Element> {
  const form = { element, names: new Set<string>() };
  forms.push(form);
  return form;
}

function noteHeading<Element>(survey: Survey<Element>, element: Element, name: string): void {
  const level = Number(/^h([1-6])$/.exec(name)?.[1] ?? 0);
  if (!level) return;
  survey.level ??= level;
  survey.heading ??= element;
  if (level > survey.level) survey.textLength = Infinity;
  if (name === 'h1' && survey.titles.length < maxHeadings && !survey.proseOf(element)) survey.titles.push(element);
}

function note<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  place: PagePlace<Element>,
  name: string,
): void {
  const { element } = place;
  const id = tree.attribute(element, 'id');
  const known = id && survey.ids.get(id);
  if (known) known.push(place);
  else if (id) survey.ids.set(id, [place]);
  for (const each of splitOnAsciiWhitespace(tree.attribute(element, 'aria-describedby') ?? '')) {
    const described = survey.described.get(each) ?? [];
    survey.described.set(each, described);
    if (described.length < 2) described.push({ position: survey.controls.length, isControl: controlNames.has(name) });
  }
  if (name === 'label') {
    const target = tree.attribute(element, 'for');
    if (target && !survey.labels.has(target)) survey.labels.set(target, element);
  }
  if (name === 'body') survey.body ??= element;
  const isMain = name === 'main' || tree.attribute(element, 'role') === 'main';
  if (isMain && place.isFirst && !survey.proseOf(element)) survey.main ??= element;
  if (name === 'h1' && survey.headings.length < maxHeadings) survey.headings.push(element);
}

function addControl<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  element: Element,
  { region, form, previous }: Place<Element>,
): void {
  const name = tree.attribute(element, 'name') ?? '';
  form?.names.add(name);
  const type = asciiLowercase(tree.attribute(element, 'type') ?? '');
  if (type === 'hidden') markGeneral(survey, previous);
  if (type === 'hidden' || buttonTypes.has(type as ControlType)) return;
  for (let each = region; each && !each.isWrapper; each = each.outer) each.isWrapper = true;
  const state = asciiLowercase(tree.attribute(element, 'aria-invalid') ?? 'false');
  const isAriaInvalid = state !== 'false' && state !== '';
  const isInvalid = isAriaInvalid || hasInvalidClass(tree, element);
  const control = { element, name, form, isAriaInvalid, isInvalid };
  survey.controls.push(control);
  survey.controlOf.set(element, control);
  survey.names.add(control.name);
}

/** Django writes the errors of a formset before the hidden inputs of its management form. */
function markGeneral<Element>({ regions }: Survey<Element>, element: Element | undefined): void {
  const region = element && regions.get(element);
  if (region?.severity === 'list') region.severity = 'error';
}

const invalidClass =
  /(?:^|\s)(?:(?:is-)?invalid|field_with_errors|\S*-invalid-\S+|form-invalid|(?:\S*[_-])?errors?)(?!\S)/i;
const maxWrappers = 3;

function hasInvalidClass<Node, Element extends Node>(tree: Tree<Node, Element>, control: Element): boolean {
  if (invalidClass.test(classOf(tree, control))) return true;
  let left = maxWrappers;
  for (const up of ancestors(tree, control)) {
    if (left-- === 0 || !tree.isElement(up) || tree.localName(up) === 'form') return false;
    if (invalidClass.test(classOf(tree, up))) return true;
  }
  return false;
}
