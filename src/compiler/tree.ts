/** Where a start tag begins in its source text: 1-based line and column. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
}

/**
 * What a front end answers about its nodes. It holds no knowledge of HTML.
 *
 * A tree scope is a document or a shadow root; `parent` and `children` stay inside it.
 */
export interface Tree<Node, Element extends Node = Node> {
  isElement(node: Node): node is Element;
  /** The local name; with a colon before it in a namespace other than HTML's. */
  localName(element: Element): string;
  attribute(element: Element, name: string): string | null;
  parent(node: Node): Node | null;
  children(node: Node): readonly Node[];
  /** The data of a Text node, else null. */
  text(node: Node): string | null;
  /** The one fact that a tree cannot recompute. */
  formOwner(control: Element): Element | null;
  /** The element's open (or declarative) shadow root. */
  shadowRoot(element: Element): Node | null;
  /** Where the element's start tag stands, if the front end reads source text. */
  location?(element: Element): SourceLocation | undefined;
}

/** The nodes below `root` in tree order, without shadow trees and without what is below the nodes that `skip` names. */
export function* descendants<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  root: Node,
  skip: (node: Node) => boolean = () => false,
): Generator<Node, void, undefined> {
  const stack = [{ nodes: tree.children(root), next: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const node = top.nodes[top.next++];
    if (node === undefined) {
      stack.pop();
    } else if (!skip(node)) {
      yield node;
      const below = tree.children(node);
      if (below.length > 0) stack.push({ nodes: below, next: 0 });
    }
  }
}

/** The ancestors of `node`, nearest first. */
export function* ancestors<Node, Element extends Node>(
  tree: Tree<Node, Element>,
  node: Node,
): Generator<Node, void, undefined> {
  for (let up = tree.parent(node); up !== null; up = tree.parent(up)) yield up;
}
