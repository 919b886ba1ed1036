import { listedElements, nameSet } from '../../compiler/html/elements.js';
import { splitOnAsciiWhitespace } from '../../compiler/html/text.js';
import { isHidden, TreeReader } from '../../compiler/html/tree-reader.js';
import { isIgnored } from '../../compiler/ignored.js';
import { Budget } from '../../compiler/limits.js';
import { ancestors, descendants, type Tree } from '../../compiler/tree.js';
import { foundText, type FoundText } from '../words/clean-text.js';

const headings = nameSet('h1 h2 h3 h4 h5 h6');
const landmarks = nameSet('header nav footer aside dialog');
const sections = nameSet('section article aside nav footer form table ul ol dialog');
const widgets: ReadonlySet<string> = new Set([...listedElements, 'form', 'table', 'nav']);
const boxClass =
  /(?:^|\s)(?:card|col|panel|tile|widget|box|item|row|tab-pane|timeline|post|slide)(?:-\d+|-\w{2}(?:-\d+)?)?(?=\s|$)/;
const headingClass = /(?:^|[\s_-])(?:card-title|panel-title|modal-title|headline|box-title|heading|form-title)(?=\s|$)/;

/** The maximum numbers of nodes of a subtree, of siblings of an ancestor, of ancestors, and of characters of a string. */
const maxNodes = 200;
const maxSiblings = 12;
const maxLevels = 12;
const maxLength = 500;

/** The area of a page that contains a form. */
export type Area = 'header' | 'nav' | 'footer' | 'aside' | 'dialog' | 'main';

/** Finds headings and labels that are near a form, but that no markup associates with the form. */
export class NearbyReader<Node, Element extends Node> extends TreeReader<Node, Element> {
  /** The remaining number of nodes to search for headings in wrappers before forms. */
  #left = 2000;

  constructor(tree: Tree<Node, Element>) {
    super(tree);
  }

  text(element: Node): string {
    return this.visibleText(element, { maxLength, budget: new Budget(5000) }) ?? '';
  }

  /** The first heading in a form before its controls. */
  headingInside(form: Element): FoundText | undefined {
    let nodes = 0;
    for (const node of descendants(this.tree, form, (each) => this.#isHidden(each))) {
      if (++nodes > maxNodes) return undefined;
      if (!this.tree.isElement(node)) continue;
      const found = this.#isHeading(node) ? foundText('heading', this.text(node)) : undefined;
      if (found) return found;
      if (this.#isControl(node)) return undefined;
    }
    return undefined;
  }

  /** The heading before a form, in the nearest section or landmark around it. */
  headingBefore(form: Element): FoundText | undefined {
    let levels = 0;
    let inner: Node = form;
    for (const parent of ancestors(this.tree, form)) {
      const found = this.#headingAmong(this.#before(parent, inner));
      if (found) return found;
      if (!this.tree.isElement(parent) || ++levels > maxLevels) return undefined;
      const label = this.label(parent);
      if (label && /^(?:dialog|section|aside|form|region)$/.test(this.#kind(parent))) return label;
      if (this.#isEnd(parent)) return undefined;
      inner = parent;
    }
    return undefined;
  }

  /** The text content of the siblings before a form. */
  textsBefore(form: Element): string {
    const parent = this.tree.parent(form);
    const before = parent === null ? [] : this.#before(parent, form).slice(0, maxSiblings);
    return before.map((node) => this.tree.text(node) ?? (this.tree.isElement(node) ? this.text(node) : '')).join(' ');
  }

  /** The text of `aria-label`, or else, with `byId`, of the elements that `aria-labelledby` references. */
  label(element: Element, byId?: (id: string) => Element | null): FoundText | undefined {
    const own = foundText('aria-label', this.tree.attribute(element, 'aria-label'));
    if (own || !byId) return own;
    const ids = splitOnAsciiWhitespace(this.tree.attribute(element, 'aria-labelledby') ?? '').slice(0, 4);
    const texts = ids.map((id) => byId(id)).map((target) => (target ? this.text(target) : ''));
    return foundText('aria-label', texts.join(' '));
  }

  area(form: Element): Area {
    for (const up of ancestors(this.tree, form)) {
      if (!this.tree.isElement(up)) break;
      const kind = this.#kind(up);
      if (landmarks.has(kind)) return kind as Area;
      if (kind === 'main') return 'main';
    }
    return 'main';
  }

  /** The nearest `lang` of a form and its ancestors, in lower case; empty without one. */
  language(form: Element): string {
    for (let up: Node | null = form; up !== null; up = this.tree.parent(up)) {
      const lang = this.tree.isElement(up) ? this.tree.attribute(up, 'lang') : null;
      if (lang !== null) return lang.trim().toLowerCase();
    }
    return '';
  }

  #isControl(element: Element): boolean {
    const name = this.tree.localName(element);
    if (name === 'input') return this.tree.attribute(element, 'type')?.toLowerCase() !== 'hidden';
    return name === 'select' || name === 'textarea' || name === 'button';
  }

  /** The siblings before a node, nearest first. */
  #before(parent: Node, inner: Node): readonly Node[] {
    const siblings = this.tree.children(parent);
    const end = siblings.indexOf(inner);
    return siblings.slice(Math.max(0, end - 2 * maxSiblings), end).reverse();
  }

  #headingAmong(nodes: readonly Node[]): FoundText | undefined {
    let count = 0;
    for (const node of nodes) {
      if (!this.tree.isElement(node) || this.#isHidden(node)) continue;
      if (++count > maxSiblings) return undefined;
      const heading = this.#isHeading(node) ? node : this.#headingIn(node);
      const found = heading && foundText('heading', this.text(heading));
      if (found) return found;
    }
    return undefined;
  }

  /** The last heading of a wrapper; undefined if the wrapper is a section of its own or contains fields. */
  #headingIn(element: Element): Element | undefined {
    const { tree } = this;
    if (sections.has(this.#kind(element)) || boxClass.test(tree.attribute(element, 'class') ?? '')) return undefined;
    let nodes = 0;
    let last: Element | undefined;
    for (const node of descendants(tree, element, (each) => this.#isHidden(each))) {
      if (++nodes > maxNodes || --this.#left < 0) return undefined;
      if (!tree.isElement(node)) continue;
      if (widgets.has(tree.localName(node)) && tree.localName(node) !== 'button') return undefined;
      if (this.#isHeading(node)) last = node;
    }
    return last;
  }

  #isHeading(element: Element): boolean {
    const name = this.tree.localName(element);
    if (headings.has(name) || this.tree.attribute(element, 'role') === 'heading') return true;
    return name !== 'form' && headingClass.test((this.tree.attribute(element, 'class') ?? '').slice(0, 500));
  }

  #isHidden(node: Node): boolean {
    return this.tree.isElement(node) && (isHidden(this.tree, node) || isIgnored(this.tree, node));
  }

  #kind(element: Element): string {
    const role = this.tree.attribute(element, 'role') ?? '';
    const byRole: Readonly<Record<string, string>> = {
      banner: 'header',
      navigation: 'nav',
      contentinfo: 'footer',
      complementary: 'aside',
      dialog: 'dialog',
      alertdialog: 'dialog',
      main: 'main',
      region: 'section',
    };
    const known = Object.hasOwn(byRole, role) ? byRole[role] : undefined;
    const name = known ?? this.tree.localName(element);
    if (name === 'div' && /(?:^|\s)(?:modal|offcanvas)(?=\s|$)/.test(this.tree.attribute(element, 'class') ?? ''))
      return 'dialog';
    return name;
  }

  #isEnd(element: Element): boolean {
    const kind = this.#kind(element);
    return landmarks.has(kind) || kind === 'body' || kind === 'main' || kind === 'li' || kind === 'td';
  }
}

/** The main heading and the title of a page. */
export interface PageTexts {
  readonly heading: FoundText | undefined;
  readonly title: FoundText | undefined;
}

/** Reads the strings of a page on first use, because most forms do not need them. */
export class LazyPageTexts<Node, Element extends Node> implements PageTexts {
  readonly #tree: Tree<Node, Element>;
  readonly #root: Node;
  readonly #known = new Map<string, FoundText | undefined>();

  constructor(tree: Tree<Node, Element>, inside: Node) {
    this.#tree = tree;
    let root = inside;
    for (const up of ancestors(tree, inside)) root = up;
    this.#root = root;
  }

  get heading(): FoundText | undefined {
    return this.#first('h1', 'heading');
  }

  get title(): FoundText | undefined {
    return this.#first('title', 'page-title');
  }

  #first(name: string, kind: 'heading' | 'page-title'): FoundText | undefined {
    if (!this.#known.has(name)) this.#known.set(name, this.#find(name, kind));
    return this.#known.get(name);
  }

  #find(name: string, kind: 'heading' | 'page-title'): FoundText | undefined {
    const element = firstElement(this.#tree, this.#root, name);
    if (element === undefined) return undefined;
    const reader = new NearbyReader(this.#tree);
    return foundText(kind, name === 'title' ? reader.limitedText(element) : reader.text(element));
  }
}

const maxPageNodes = 20_000;

/** Whether a heading is the name of the site, which many sites repeat on each page. */
const isSiteName = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  /(?:^|\s)(?:site-?(?:name|title)|logo|brand)(?=\s|$)/i.test(
    `${tree.attribute(element, 'id') ?? ''} ${tree.attribute(element, 'class') ?? ''}`.slice(0, 500),
  );

/** The first element with a name, except site names. Does not use `descendants`, which is too slow for whole pages. */
function firstElement<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
  name: string,
): Element | undefined {
  const pending = [root];
  for (let count = 0; pending.length > 0 && count < maxPageNodes; count++) {
    const node = pending.pop() as Node;
    if (tree.isElement(node) && tree.localName(node) === name && !isSiteName(tree, node)) return node;
    const children = tree.children(node);
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index] as Node;
      if (tree.text(child) === null) pending.push(child);
    }
  }
  return undefined;
}
