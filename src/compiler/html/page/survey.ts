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
  /** Whether `aria-invalid` marks it as invalid. */
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
  /**
   * Whether the place is after the beginning of the page's content: after running text, or after a heading of a lower
   * level than the first.
   */
  readonly isLate: boolean;
  /** Whether no heading and at most `maxTextLength` of running text precede the place. Visitors write only later. */
  readonly isFirst: boolean;
}

/** An element whose text is a message of the page. */
export interface Region<Element> extends PagePlace<Element> {
  severity: Severity;
  /** The number of controls before the message. */
  readonly position: number;
  /** The links in the message to elements of the page. */
  readonly links: Element[];
  /** Whether its own text is not a message, because it contains controls or names of controls. */
  isWrapper: boolean;
}

interface Described {
  /** The number of controls before the element. */
  readonly position: number;
  /** Whether the element is a control, not a group of controls. */
  readonly isControl: boolean;
}

interface Place<Element> {
  readonly region?: Region<Element> | undefined;
  readonly form?: PageForm<Element> | undefined;
  /** Whether text at the place is not running text, such as in a form, a link, a menu or a message. */
  readonly isQuiet: boolean;
  readonly isClosed: boolean;
  /** The previous element of the same parent. */
  previous?: Element;
}

const controlNames = nameSet('input select textarea');
/** Elements without running text. */
export const quietNames = nameSet('a button caption dt form h1 h2 h3 h4 h5 h6 label legend summary th');
const maxHeadings = 20;
/** The maximum length of the running text at the beginning of the content: pages may greet a user before a message. */
const maxTextLength = 40;

/** The facts about the rendered part of a page, in tree order. */
export class Survey<Node, Element extends Node> {
  readonly tree: Tree<Node, Element>;
  readonly controls: PageControl<Element>[] = [];
  readonly controlOf = new Map<Element, PageControl<Element>>();
  readonly names = new Set<string>();
  readonly forms: PageForm<Element>[] = [];
  /** Returns the prose that an element is in. */
  readonly proseOf: (element: Element) => Prose | undefined;
  readonly regions = new Map<Element, Region<Element>>();
  /** The elements by their ID, in tree order. */
  readonly ids = new Map<string, PagePlace<Element>[]>();
  /** The first label by the value of its `for`. */
  readonly labels = new Map<string, Element>();
  /** For each ID, the first two elements that `aria-describedby` connects with it. */
  readonly described = new Map<string, Described[]>();
  readonly headings: Element[] = [];
  /** The main headings in the content. */
  readonly titles: Element[] = [];
  /** The first heading of the content. */
  heading: Element | undefined;
  /** The first main element outside of prose whose place has `isFirst`. */
  main: Element | undefined;
  body: Element | undefined;
  /** The level of the first heading of the content. */
  #level = 0;
  /** The length of the running text so far; infinite after a heading of a lower level. */
  #textLength = 0;

  constructor(tree: Tree<Node, Element>, document: Node) {
    this.tree = tree;
    this.proseOf = createProseReader(tree);
    const start: Place<Element> = { isQuiet: false, isClosed: false };
    walk(tree, document, start, {
      enter: (node, place) => {
        if (tree.isElement(node)) return this.#enter(node, place);
        if (!place.isQuiet) this.#addText(tree.text(node) ?? '');
        return undefined;
      },
    });
  }

  #addText(text: string): void {
    if (/\p{L}/u.test(text)) this.#textLength += text.trim().length;
  }

  #enter(element: Element, place: Place<Element>): Place<Element> | undefined {
    const { tree } = this;
    const name = tree.localName(element);
    if ((place.isClosed && name !== 'summary') || isUnrendered(tree, element)) return undefined;
    if (isIgnored(tree, element)) return undefined;
    const { region: outer, previous, isQuiet } = place;
    const form = name === 'form' ? { element, names: new Set<string>() } : place.form;
    if (name === 'form' && form) this.forms.push(form);
    const isLate = this.#textLength > maxTextLength;
    const isFirst = !isLate && !this.heading;
    const own = { element, form, outer, isLate, isFirst };
    this.#note(own, name);
    if (!isQuiet) this.#noteHeading(element, name);
    if (controlNames.has(name)) this.#addControl(element, place);
    if (name === 'a' && tree.attribute(element, 'href')?.startsWith('#')) outer?.links.push(element);
    const previousName = previous && tree.localName(previous);
    const isInMessage = outer !== undefined && outer.form === form;
    const ownSeverity = severityOf(tree, element, name, { form: place.form, isInMessage, previousName });
    const severity = ownSeverity === 'alert' && outer?.severity === 'error' ? 'error' : ownSeverity;
    place.previous = element;
    const position = this.controls.length;
    const region = severity && { ...own, severity, position, links: [], isWrapper: false };
    if (region) this.regions.set(element, region);
    if (outer?.severity === 'list' && severity) outer.isWrapper = true;
    return {
      region: region ?? outer,
      form,
      isQuiet: isQuiet || isLate || region !== undefined || quietNames.has(name) || isChrome(tree, element),
      isClosed: isClosed(tree, element),
    };
  }

  #noteHeading(element: Element, name: string): void {
    const level = Number(/^h([1-6])$/.exec(name)?.[1] ?? 0);
    if (!level) return;
    this.#level ||= level;
    this.heading ??= element;
    if (level > this.#level) this.#textLength = Infinity;
    if (name === 'h1' && this.titles.length < maxHeadings && !this.proseOf(element)) this.titles.push(element);
  }

  #note(place: PagePlace<Element>, name: string): void {
    const { element } = place;
    const attribute = (each: string): string => this.tree.attribute(element, each) ?? '';
    const id = attribute('id');
    const known = this.ids.get(id);
    if (known) known.push(place);
    else if (id) this.ids.set(id, [place]);
    for (const each of splitOnAsciiWhitespace(attribute('aria-describedby'))) {
      const described = this.described.get(each) ?? [];
      this.described.set(each, described);
      if (described.length < 2) described.push({ position: this.controls.length, isControl: controlNames.has(name) });
    }
    const target = name === 'label' ? attribute('for') : '';
    if (target && !this.labels.has(target)) this.labels.set(target, element);
    if (name === 'body') this.body ??= element;
    const isMain = name === 'main' || attribute('role') === 'main';
    if (isMain && place.isFirst && !this.proseOf(element)) this.main ??= element;
    if (name === 'h1' && this.headings.length < maxHeadings) this.headings.push(element);
  }

  #addControl(element: Element, { region, form, previous }: Place<Element>): void {
    const { tree } = this;
    const name = tree.attribute(element, 'name') ?? '';
    form?.names.add(name);
    const type = asciiLowercase(tree.attribute(element, 'type') ?? '');
    if (type === 'hidden') this.#markGeneral(previous);
    if (type === 'hidden' || buttonTypes.has(type as ControlType)) return;
    for (let each = region; each && !each.isWrapper; each = each.outer) each.isWrapper = true;
    const state = asciiLowercase(tree.attribute(element, 'aria-invalid') ?? 'false');
    const isAriaInvalid = state !== 'false' && state !== '';
    const isInvalid = isAriaInvalid || hasInvalidClass(tree, element);
    const control = { element, name, form, isAriaInvalid, isInvalid };
    this.controls.push(control);
    this.controlOf.set(element, control);
    this.names.add(name);
  }

  /** Marks a list before a hidden input as an error of the page: Django writes the errors of a formset there. */
  #markGeneral(element: Element | undefined): void {
    const region = element && this.regions.get(element);
    if (region?.severity === 'list') region.severity = 'error';
  }
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
