import { isIgnored } from '../ignored.js';
import type { Budget } from '../limits.js';
import type { Tree } from '../tree.js';
import { labelableElements, nameSet } from './elements.js';
import { collapseWhitespace } from './text.js';

const invisible = new Set([...nameSet('script :script style :style template noscript datalist'), ...labelableElements]);
export const lineBreaking = nameSet(
  'address article aside blockquote br dd details div dl dt fieldset figure footer h1 h2 h3 h4 h5 h6 header hr legend ' +
    'li main nav ol option p pre section summary table td th tr ul',
);

/** The roles of widgets whose text is their value. Scripts add such a widget next to the control that it replaces. */
const widgetRoles = nameSet('combobox listbox textbox searchbox spinbutton slider');

export const isHidden = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  tree.attribute(element, 'hidden') !== null || tree.attribute(element, 'aria-hidden')?.toLowerCase() === 'true';

/** Whether the text of an element is not read: that of scripts, controls, widgets, and hidden or ignored elements. */
export const isUnread = <Node, Element extends Node>(tree: Tree<Node, Element>, element: Element): boolean =>
  invisible.has(tree.localName(element)) ||
  isHidden(tree, element) ||
  isIgnored(tree, element) ||
  widgetRoles.has(tree.attribute(element, 'role') ?? '');

/** The limits of reading text. */
export interface ReadingLimit {
  readonly maxLength: number;
  /** Each character that is read costs 1, and each node costs `nodeCost`. */
  readonly budget: Budget;
}

interface TextOptions<Node> {
  /** Not called for Text nodes. */
  readonly skip?: ((node: Node) => boolean) | undefined;
  /** The text of a node that is not a Text node. */
  readonly textOf?: (node: Node) => string;
  readonly limit?: ReadingLimit | undefined;
}

const nodeCost = 5;

export class TreeReader<Node, Element extends Node> {
  protected readonly tree: Tree<Node, Element>;

  constructor(tree: Tree<Node, Element>) {
    this.tree = tree;
  }

  isNamed(node: Node, name: string): node is Element {
    return this.tree.isElement(node) && this.tree.localName(node) === name;
  }

  /** https://dom.spec.whatwg.org/#concept-descendant-text-content */
  descendantTextContent(root: Node): string {
    return this.#read(root, {}) as string; // never undefined without a limit
  }

  /** The text content without the subtrees of skipped nodes; undefined if it exceeds the limit. */
  limitedText(root: Node, skip?: (node: Node) => boolean, limit?: ReadingLimit): string | undefined {
    return this.#read(root, { limit, skip });
  }

  /** https://dom.spec.whatwg.org/#concept-child-text-content */
  childTextContent(element: Element): string {
    let text = '';
    for (const child of this.tree.children(element)) text += this.tree.text(child) ?? '';
    return text;
  }

  /**
   * The visible text without controls and widgets, with white space collapsed; undefined if it exceeds the limit.
   * Considers only markup, not CSS.
   *
   * @param except - the local name of elements that are skipped too
   */
  visibleText(root: Node, limit: ReadingLimit, except?: string): string | undefined {
    const { tree } = this;
    const skip = (node: Node): boolean =>
      tree.isElement(node) && (isUnread(tree, node) || tree.localName(node) === except);
    const text = this.#read(root, { limit, skip, textOf: (node) => this.#rendered(node) });
    return text === undefined ? undefined : collapseWhitespace(text);
  }

  #rendered(node: Node): string {
    if (!this.tree.isElement(node)) return '';
    const name = this.tree.localName(node);
    if (name === 'img') return this.tree.attribute(node, 'alt') ?? '';
    return lineBreaking.has(name) ? ' ' : '';
  }

  /** Most of the time of a description is spent here, so this does not use `descendants`. */
  #read(root: Node, { skip, textOf, limit }: TextOptions<Node>): string | undefined {
    const { tree } = this;
    const stack = [{ nodes: tree.children(root), next: 0 }];
    let text = '';
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const node = top.nodes[top.next++];
      if (node === undefined) {
        stack.pop();
        continue;
      }
      if (limit && !limit.budget.spend(nodeCost)) return undefined;
      const data = tree.text(node);
      if (data === null && skip?.(node)) continue;
      const own = data ?? textOf?.(node) ?? '';
      text += own;
      if (limit && (!limit.budget.spend(own.length) || text.length > limit.maxLength)) return undefined;
      if (data === null) stack.push({ nodes: tree.children(node), next: 0 });
    }
    return limit?.budget.isSpent ? undefined : text;
  }
}
