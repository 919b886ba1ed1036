import { isIgnored } from '../../ignored.js';
import { ancestors, type Tree } from '../../tree.js';
import { buttonTypes, nameSet, type ControlType } from '../elements.js';
import { asciiLowercase, splitOnAsciiWhitespace } from '../text.js';
import { severityOf, type Severity } from './region.js';
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
  severity: Severity;
  readonly form: Element | undefined;
  readonly outer: Region<Element> | undefined;
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
  readonly regions: Map<Element, Region<Element>>;
  readonly ids: Map<string, Element>;
  /** The first label by the value of its `for`. */
  readonly labels: Map<string, Element>;
  /** For each ID, the first two elements that `aria-describedby` connects with it. */
  readonly described: Map<string, Described[]>;
  readonly headings: Element[];
  main: Element | undefined;
  body: Element | undefined;
}

interface Place<Element> {
  readonly region: Region<Element> | undefined;
  readonly form: Element | undefined;
  /** Whether classes are the author's, as in an article or in code. */
  readonly isProse: boolean;
  readonly isClosed: boolean;
  /** The previous element of the same parent. */
  previous: Element | undefined;
}

const controlNames = nameSet('input select textarea');
const prose = nameSet('article pre code');
const maxHeadings = 20;

export function surveyPage<Node, Element extends Node>(tree: Tree<Node, Element>, document: Node): Survey<Element> {
  const survey: Survey<Element> = {
    controls: [],
    controlOf: new Map(),
    names: new Set(),
    regions: new Map(),
    ids: new Map(),
    labels: new Map(),
    described: new Map(),
    headings: [],
    main: undefined,
    body: undefined,
  };
  const top = { region: undefined, form: undefined, previous: undefined };
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
  if (isIgnored(tree, element)) return undefined;
  note(tree, survey, element, name);
  if (controlNames.has(name)) addControl(tree, survey, element, place);
  if (name === 'a' && tree.attribute(element, 'href')?.startsWith('#')) place.region?.links.push(element);
  const { form, region: outer, isProse, previous } = place;
  const previousName = previous && tree.localName(previous);
  const ownSeverity = severityOf(tree, element, name, { form, isProse, previousName });
  const severity = ownSeverity === 'alert' && outer?.severity === 'error' ? 'error' : ownSeverity;
  place.previous = element;
  const position = survey.controls.length;
  const region = severity && { element, severity, form, outer, position, links: [], isWrapper: false };
  if (region) survey.regions.set(element, region);
  if (outer?.severity === 'list' && severity) outer.isWrapper = true;
  return {
    region: region ?? outer,
    form: name === 'form' ? element : form,
    isProse: name !== 'form' && (isProse || prose.has(name)),
    isClosed: isClosed(tree, element),
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
    const described = survey.described.get(each) ?? [];
    survey.described.set(each, described);
    if (described.length < 2) described.push({ position: survey.controls.length, isControl: controlNames.has(name) });
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
  { region, previous }: Place<Element>,
): void {
  const type = asciiLowercase(tree.attribute(element, 'type') ?? '');
  if (type === 'hidden') markGeneral(survey, previous);
  if (type === 'hidden' || buttonTypes.has(type as ControlType)) return;
  for (let each = region; each && !each.isWrapper; each = each.outer) each.isWrapper = true;
  const state = asciiLowercase(tree.attribute(element, 'aria-invalid') ?? 'false');
  const isAriaInvalid = state !== 'false' && state !== '';
  const isInvalid = isAriaInvalid || hasInvalidClass(tree, element);
  const control = { element, name: tree.attribute(element, 'name') ?? '', isAriaInvalid, isInvalid };
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
