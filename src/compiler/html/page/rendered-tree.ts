import type { Tree } from '../../tree.js';
import { nameSet } from '../elements.js';
import { asciiLowercase, collapseWhitespace } from '../text.js';
import { isHidden, lineBreaking } from '../tree-reader.js';

interface Visitor<Node, State> {
  /** Returns the state for the node's children, or undefined to skip them. */
  readonly enter: (node: Node, state: State) => State | undefined;
  /** Called after the children of a node that was not skipped. */
  readonly leave?: (node: Node) => void;
}

/** Visits the nodes below `root` in tree order. */
export function walk<Node, Element extends Node, State>(
  tree: Tree<Node, Element>,
  root: Node,
  state: State,
  { enter, leave }: Visitor<Node, State>,
): void {
  const stack = [{ parent: root, nodes: tree.children(root), next: 0, state }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const node = top.nodes[top.next++];
    if (node === undefined) {
      stack.pop();
      if (stack.length > 0) leave?.(top.parent);
      continue;
    }
    const inner = enter(node, top.state);
    if (inner !== undefined) stack.push({ parent: node, nodes: tree.children(node), next: 0, state: inner });
  }
}

const unrendered = nameSet('head script :script style :style :title :desc template noscript datalist');
const hiddenStyle = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;
const hiddenClass = /(?:^|\s)(?:hidden|d-none|is-hidden|hide-if-js)(?!\S)/;
const responsiveClass = /(?:^|\s)(?:\w+:|d-\w+-)(?!hidden|none)/;

/**
 * The maximum number of characters of a class list that are searched. The classes of a wrapper are searched again for
 * each control in it.
 */
const maxClassLength = 5000;

export const classOf = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): string =>
  (tree.attribute(element, 'class') ?? '').slice(0, maxClassLength);

/** Whether an element is not rendered. Considers markup, inline styles and well-known classes, not style sheets. */
export function isUnrendered<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean {
  const name = tree.localName(element);
  if (unrendered.has(name) || isHidden(tree, element) || tree.attribute(element, 'popover') !== null) return true;
  if (name === 'dialog' && tree.attribute(element, 'open') === null) return true;
  if (hiddenStyle.test(tree.attribute(element, 'style') ?? '')) return true;
  const classes = classOf(tree, element);
  return hiddenClass.test(classes) && !responsiveClass.test(classes);
}

/** Whether an element is a closed `<details>`, whose content is hidden except for the summary. */
export const isClosed = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  tree.localName(element) === 'details' && tree.attribute(element, 'open') === null;

/** Classes of elements for screen readers only. */
const screenReaderClass = /(?:^|[\s_-])(?:visually-?hidden|sr-only|screen-reader-text|element-invisible|a11y)(?!\S)/i;

export const isForScreenReaders = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  screenReaderClass.test(classOf(tree, element));

const chromeNames = nameSet('nav aside header footer');
const chromeRoles = nameSet('navigation banner complementary contentinfo search menubar menu');
const menuBlocks = nameSet('div ul ol section table');
const menuClass = /(?:^|\s)(?:\S*[-_])?(?:nav|navbar|navigation|menu|menubar|breadcrumbs?)(?!\S)/i;
const chromeId = /(?:^|[-_])(?:nav|navbar|navigation|menu|menubar|breadcrumbs?|sidebar|toolbar|header|footer)$/i;

/** Whether an element is around the content of a page, such as a menu, a header or a footer. */
export function isChrome<Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean {
  const name = tree.localName(element);
  const classes = classOf(tree, element);
  return (
    chromeNames.has(name) ||
    chromeRoles.has(asciiLowercase(tree.attribute(element, 'role') ?? '')) ||
    (name === 'a' && /skip|jump-link/i.test(classes)) ||
    (menuBlocks.has(name) && (menuClass.test(classes) || chromeId.test(tree.attribute(element, 'id') ?? '')))
  );
}

const controls = nameSet('button input meter progress select textarea');
const lineNames = nameSet('li ul ol menu tr table');
const blocks = new Set([...lineBreaking, 'output']);

export interface RenderedText {
  readonly text: string;
  readonly isListItem: boolean;
}

interface TextOptions<Element> {
  /** Whether to omit an element. `isStart` is true if no text precedes the element. */
  readonly skip?: (element: Element, isStart: boolean) => boolean;
  /** Whether each list item is a separate string. */
  readonly isSplit?: boolean;
  /** Whether each list item and each row of a table is a line. List items begin with `- `. */
  readonly hasLines?: boolean;
  /** The total number of nodes and characters after which reading stops. @default Infinity */
  readonly limit?: number;
}

/** The rendered text below an element, without controls and with white space collapsed. */
export function renderedTexts<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
  options: TextOptions<Element> = {},
): readonly RenderedText[] {
  const reader = new RenderedTextReader(tree, options);
  walk<Node, Element, boolean>(tree, root, false, {
    enter: (node, isInClosed) => reader.enter(node, isInClosed),
    leave: (node) => reader.leave(node),
  });
  return reader.end();
}

class RenderedTextReader<Node, Element extends Node> {
  readonly #tree: Tree<Node, Element>;
  readonly #options: TextOptions<Element>;
  readonly #texts: RenderedText[] = [];
  #text = '';
  #left: number;
  #isStart = true;
  #items = 0;

  constructor(tree: Tree<Node, Element>, options: TextOptions<Element>) {
    this.#tree = tree;
    this.#options = options;
    this.#left = options.limit ?? Infinity;
  }

  enter(node: Node, isInClosed: boolean): boolean | undefined {
    if (--this.#left < 0) return undefined;
    if (this.#tree.isElement(node)) return this.#enterElement(node, isInClosed);
    const data = isInClosed ? '' : (this.#tree.text(node) ?? '').slice(0, this.#left + 1);
    this.#left -= data.length;
    this.#text += this.#options.hasLines ? data.replace(/\n/g, ' ') : data;
    if (this.#isStart && /\S/.test(data)) this.#isStart = false;
    return undefined;
  }

  leave(node: Node): void {
    this.#breakAt(this.#tree.localName(node as Element), -1);
  }

  /** Ends the current string, and returns all strings. */
  end(): readonly RenderedText[] {
    const lines = this.#options.hasLines ? this.#text.split('\n') : [this.#text];
    const text = lines
      .map(collapseWhitespace)
      .filter((line) => line !== '' && line !== '-')
      .join('\n');
    if (text !== '') this.#texts.push({ text, isListItem: this.#items > 0 });
    this.#text = '';
    return this.#texts;
  }

  #enterElement(element: Element, isInClosed: boolean): boolean | undefined {
    const tree = this.#tree;
    const name = tree.localName(element);
    if ((isInClosed && name !== 'summary') || controls.has(name) || isUnrendered(tree, element)) return undefined;
    if (this.#options.skip?.(element, this.#isStart)) return undefined;
    if (name === 'img') this.#text += tree.attribute(element, 'alt') ?? '';
    this.#breakAt(name, 1);
    return isClosed(tree, element);
  }

  #breakAt(name: string, change: 1 | -1): void {
    if (this.#options.isSplit && name === 'li') {
      this.end();
      this.#items += change;
    } else if (this.#options.hasLines && lineNames.has(name)) this.#text += name === 'li' && change > 0 ? '\n- ' : '\n';
    else if (blocks.has(name)) this.#text += ' ';
  }
}
