/** The position of a start tag in its source text: 1-based line and column. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
}

/**
 * A front end's access to its nodes. It does not depend on the semantics of HTML.
 *
 * A tree scope is a document or a shadow root; `parent` and `children` stay inside it.
 */
export interface Tree<Node, Element extends Node = Node> {
  isElement(node: Node): node is Element;
  /** The local name. Outside the HTML namespace, it is prefixed with a colon. */
  localName(element: Element): string;
  attribute(element: Element, name: string): string | null;
  parent(node: Node): Node | null;
  children(node: Node): readonly Node[];
  /** The data of a Text node, else null. */
  text(node: Node): string | null;
  /** The form owner, which the tree alone does not determine. */
  formOwner(control: Element): Element | null;
  /** The element's open (or declarative) shadow root. */
  shadowRoot(element: Element): Node | null;
  /** Whether a person can see the element, if the front end renders it. */
  isSeen?(element: Element): boolean;
  /** The location of the element's start tag, if the front end reads source text. */
  location?(element: Element): SourceLocation | undefined;
}

/** The nodes below `root` in tree order, without shadow trees and without the subtrees of skipped nodes. */
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
      const children = tree.children(node);
      if (children.length > 0) stack.push({ nodes: children, next: 0 });
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
