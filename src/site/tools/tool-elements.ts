import { annotation } from '../../compiler/describe/label-text.js';
import type { Tree } from '../../compiler/tree.js';
import type { Parse5Element, Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';

type PageTree = Tree<Parse5Node, Parse5Element>;

/** A `<webmcp-tool>` of a page. */
export interface ToolElement {
  readonly element: Parse5Element;
  /** The form that it is for, whoever has it; null if there is none; undefined if it is for no form. */
  readonly form: Parse5Element | null | undefined;
  /** What has the ID that `for` says, but is no form. */
  readonly isOther: boolean;
  /** Why the form is not its own. */
  readonly refused?: 'form-is-annotated' | 'form-is-taken';
}

/** The `<webmcp-tool>` elements of a page, and which element stands before which. */
export interface ToolElements {
  /** In document order. */
  readonly found: readonly ToolElement[];
  /** The places of these elements and of all forms in document order. */
  readonly order: ReadonlyMap<Parse5Element, number>;
}

/** A document or a shadow root that is read. */
interface Root {
  readonly ids: Map<string, Parse5Element>;
  /** The tools around the element that is read, of which no form is known. */
  open: Open[];
}

interface Open {
  readonly element: Parse5Element;
  readonly root: Root;
  inside?: Parse5Element;
}

interface Frame {
  readonly nodes: readonly Parse5Node[];
  next: number;
  readonly root: Root;
  readonly tool?: Open | undefined;
}

const newRoot = (): Root => ({ ids: new Map(), open: [] });

/**
 * Finds the `<webmcp-tool>` elements of a page, in shadow trees too, with their forms. One walk for all. One with `src` has
 * the tools of a webtool, whatever they are by then, and none of the page.
 */
export function findToolElements({ document, tree }: Parse5Page): ToolElements {
  const order = new Map<Parse5Element, number>();
  const tools: Open[] = [];
  const stack: Frame[] = [{ nodes: tree.children(document), next: 0, root: newRoot() }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const node = top.nodes[top.next++];
    if (node === undefined) {
      if (top.tool !== undefined && top.root.open.at(-1) === top.tool) top.root.open.pop();
      stack.pop();
    } else if (tree.isElement(node)) {
      const tool = take(tree, node, top.root, order);
      if (tool) tools.push(tool);
      stack.push({ nodes: tree.children(node), next: 0, root: top.root, tool });
      const shadow = tree.shadowRoot(node);
      if (shadow !== null) stack.push({ nodes: tree.children(shadow), next: 0, root: newRoot() });
    }
  }
  return { found: give(tree, tools), order };
}

/** Takes the next element; returns the tool that it is. */
function take(tree: PageTree, element: Parse5Element, root: Root, order: Map<Parse5Element, number>): Open | undefined {
  const id = tree.attribute(element, 'id');
  if (id && !root.ids.has(id)) root.ids.set(id, element);
  const name = tree.localName(element);
  if (name === 'form') {
    order.set(element, order.size);
    for (const tool of root.open) tool.inside = element;
    root.open = [];
  }
  if (name !== 'webmcp-tool' || tree.attribute(element, 'src') !== null) return undefined;
  order.set(element, order.size);
  const tool: Open = { element, root };
  root.open.push(tool);
  return tool;
}

/** Gives each tool its form: the first that asks has it, unless it is annotated itself. */
function give(tree: PageTree, tools: readonly Open[]): readonly ToolElement[] {
  const taken = new Set<Parse5Element>();
  return tools.map(({ element, root, inside }) => {
    const id = tree.attribute(element, 'for');
    if (id === null && !inside) return { element, form: undefined, isOther: false };
    const named = (id === null ? inside : root.ids.get(id)) ?? null;
    if (named === null || tree.localName(named) !== 'form') return { element, form: null, isOther: named !== null };
    const found = { element, form: named, isOther: false };
    if (isAnnotated(tree, named)) return { ...found, refused: 'form-is-annotated' };
    if (taken.has(named)) return { ...found, refused: 'form-is-taken' };
    taken.add(named);
    return found;
  });
}

/** Whether a form is a tool by its own annotations. */
const isAnnotated = (tree: PageTree, form: Parse5Element): boolean =>
  !!annotation(tree, form, 'toolname') && annotation(tree, form, 'tooldescription') !== null;
