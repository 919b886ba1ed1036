import { ancestors, type Tree } from '../../tree.js';
import { nameSet } from '../elements.js';
import { asciiLowercase, splitOnAsciiWhitespace } from '../text.js';
import { isRegion, type Severity } from './region.js';
import { classOf, isClosed, isUnrendered, walk } from './rendered-tree.js';

export interface PageControl<Element> {
  readonly element: Element;
  readonly name: string;
  /** Whether the page marks it as invalid. */
  readonly isInvalid: boolean;
  /** Whether `aria-invalid` does. */
  readonly isAriaInvalid: boolean;
}

/** An element whose text is a message of the page. */
export interface Region<Element> {
  readonly element: Element;
  readonly severity: Severity;
  readonly form: Element | undefined;
  readonly outer: Region<Element> | undefined;
  /** The number of controls before it. */
  readonly position: number;
  /** Whether it contains controls, so that its text is not a message. */
  isWrapper: boolean;
}

/** The facts about the rendered part of a page, in tree order. */
export interface Survey<Element> {
  readonly controls: PageControl<Element>[];
  readonly regions: Map<Element, Region<Element>>;
  readonly ids: Map<string, Element>;
  /** The first label by the value of its `for`. */
  readonly labels: Map<string, Element>;
  /** The number of controls before the first element that `aria-describedby` connects with an ID. */
  readonly described: Map<string, number>;
  readonly headings: Element[];
  main: Element | undefined;
  body: Element | undefined;
}

export interface Place<Element> {
  readonly region: Region<Element> | undefined;
  readonly form: Element | undefined;
  /** Whether classes are the author's, as in an article or in code. */
  readonly isProse: boolean;
  readonly isClosed: boolean;
  readonly parent: Element | undefined;
  /** The name of the previous element of the same parent. */
  previous: string | undefined;
}

const controlNames = nameSet('input select textarea');
const buttonTypes = nameSet('hidden submit button image reset');
const prose = nameSet('article pre code');
const maxHeadings = 20;

export function surveyPage<Node, Element extends Node>(tree: Tree<Node, Element>, document: Node): Survey<Element> {
  const survey: Survey<Element> = {
    controls: [],
    regions: new Map(),
    ids: new Map(),
    labels: new Map(),
    described: new Map(),
    headings: [],
    main: undefined,
    body: undefined,
  };
  const top = { region: undefined, form: undefined, parent: undefined, previous: undefined };
  walk<Node, Element, Place<Element>>(
    tree,
    document,
    { ...top, isProse: false, isClosed: false },
    {
      enter: (node, place) => (tree.isElement(node) ? enterElement(tree, survey, node, place) : undefined),
    },
  );
  return survey;
}

function enterElement<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  element: Element,
  place: Place<Element>,
): Place<Element> | undefined {
  const name = tree.localName(element);
  if ((place.isClosed && name !== 'summary') || isUnrendered(tree, element)) return undefined;
  note(tree, survey, element, name);
  if (controlNames.has(name)) addControl(tree, survey, element, place);
  const severity = isRegion(tree, element, name, place);
  place.previous = name;
  const { form, region: outer } = place;
  const position = survey.controls.length;
  const region = severity && { element, severity, form, outer, position, isWrapper: false };
  if (region) survey.regions.set(element, region);
  return {
    region: region ?? outer,
    form: name === 'form' ? element : form,
    isProse: name === 'form' ? false : place.isProse || prose.has(name),
    isClosed: isClosed(tree, element),
    parent: element,
    previous: undefined,
  };
}

function note<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  element: Element,
  name: string,
): void {
  const id = tree.attribute(element, 'id');
  if (id && !survey.ids.has(id)) survey.ids.set(id, element);
  for (const each of splitOnAsciiWhitespace(tree.attribute(element, 'aria-describedby') ?? '')) {
    if (!survey.described.has(each)) survey.described.set(each, survey.controls.length);
  }
  if (name === 'label') {
    const target = tree.attribute(element, 'for');
    if (target && !survey.labels.has(target)) survey.labels.set(target, element);
  }
  if (name === 'body') survey.body ??= element;
  if (name === 'main' || tree.attribute(element, 'role') === 'main') survey.main ??= element;
  if (name === 'h1' && survey.headings.length < maxHeadings) survey.headings.push(element);
}

function addControl<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  survey: Survey<Element>,
  element: Element,
  { region }: Place<Element>,
): void {
  if (buttonTypes.has(asciiLowercase(tree.attribute(element, 'type') ?? ''))) return;
  for (let each = region; each && !each.isWrapper; each = each.outer) each.isWrapper = true;
  const state = asciiLowercase(tree.attribute(element, 'aria-invalid') ?? 'false');
  const isAriaInvalid = state !== 'false' && state !== '';
  survey.controls.push({
    element,
    name: tree.attribute(element, 'name') ?? '',
    isAriaInvalid,
    isInvalid: isAriaInvalid || hasInvalidClass(tree, element),
  });
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
