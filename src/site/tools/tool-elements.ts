import { annotation } from '../../compiler/describe/label-text.js';
import { isIgnored } from '../../compiler/ignored.js';
import type { Tree } from '../../compiler/tree.js';
import type { Parse5Element, Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';

export type PageTree = Tree<Parse5Node, Parse5Element>;

export interface ToolElement {
  readonly element: Parse5Element;
  /** The form; null if `for` does not identify one; undefined without `for` and without a form inside. */
  readonly form: Parse5Element | null | undefined;
  /** Whether `for` is the ID of an element that is not a form. */
  readonly isNotForm: boolean;
  /** The elements whose ID is `for`, or the forms inside, if there are several: each may be in content that a visitor wrote. */
  readonly repeated?: readonly Parse5Element[];
  /** The reason why the form cannot belong to this tool. */
  readonly conflict?: 'form-is-annotated' | 'form-is-taken';
}

export interface ToolElements {
  /** In document order. */
  readonly found: readonly ToolElement[];
  /** The positions of these elements and of all forms in document order. */
  readonly order: ReadonlyMap<Parse5Element, number>;
}

/** A document or a shadow root. */
interface Root {
  readonly byId: Map<string, Parse5Element[]>;
  /** The open `<webmcp-tool>` elements that do not contain two forms yet. */
  open: Found[];
}

interface Found {
  readonly element: Parse5Element;
  readonly root: Root;
  /** The first two forms in the element. */
  readonly inside: Parse5Element[];
}

interface Frame {
  readonly nodes: readonly Parse5Node[];
  next: number;
  readonly root: Root;
  readonly tool?: Found | undefined;
}

const newRoot = (): Root => ({ byId: new Map(), open: [] });

/**
 * Finds the `<webmcp-tool>` elements of a page and its shadow trees, with their forms, in one walk. Those with `src` are
 * ignored: their tools come from a webtool.
 */
export function findToolElements({ document, tree }: Parse5Page): ToolElements {
  const order = new Map<Parse5Element, number>();
  const tools: Found[] = [];
  const stack: Frame[] = [{ nodes: tree.children(document), next: 0, root: newRoot() }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const node = top.nodes[top.next++];
    if (node === undefined) {
      if (top.tool !== undefined && top.root.open.at(-1) === top.tool) top.root.open.pop();
      stack.pop();
    } else if (tree.isElement(node) && !isIgnored(tree, node)) {
      const tool = visitElement(tree, node, top.root, order);
      if (tool) tools.push(tool);
      stack.push({ nodes: tree.children(node), next: 0, root: top.root, tool });
      const shadow = tree.shadowRoot(node);
      if (shadow !== null) stack.push({ nodes: tree.children(shadow), next: 0, root: newRoot() });
    }
  }
  return { found: resolveForms(tree, tools), order };
}

function visitElement(
  tree: PageTree,
  element: Parse5Element,
  root: Root,
  order: Map<Parse5Element, number>,
): Found | undefined {
  const id = tree.attribute(element, 'id');
  const sameId = id ? root.byId.get(id) : undefined;
  if (sameId) sameId.push(element);
  else if (id) root.byId.set(id, [element]);
  const name = tree.localName(element);
  if (name === 'form') {
    order.set(element, order.size);
    for (const { inside } of root.open) inside.push(element);
    root.open = root.open.filter(({ inside }) => inside.length < 2);
  }
  if (name !== 'webmcp-tool' || tree.attribute(element, 'src') !== null) return undefined;
  order.set(element, order.size);
  const tool: Found = { element, root, inside: [] };
  root.open.push(tool);
  return tool;
}

/** A form that has annotations, or to which several elements refer, is not a tool of an element: one may be in content that a visitor wrote. */
function resolveForms(tree: PageTree, tools: readonly Found[]): readonly ToolElement[] {
  const users = new Map<Parse5Element, number>();
  const found = tools.map(({ element, root, inside }): ToolElement => {
    const id = tree.attribute(element, 'for');
    if (id === null && inside.length === 0) return { element, form: undefined, isNotForm: false };
    const named = id === null ? inside : (root.byId.get(id) ?? []);
    if (named.length > 1) return { element, form: null, isNotForm: true, repeated: named };
    const target = named[0] ?? null;
    if (target === null || tree.localName(target) !== 'form')
      return { element, form: null, isNotForm: target !== null };
    users.set(target, (users.get(target) ?? 0) + 1);
    return { element, form: target, isNotForm: false };
  });
  return found.map((each) => {
    if (!each.form) return each;
    if (isAnnotated(tree, each.form)) return { ...each, conflict: 'form-is-annotated' };
    return users.get(each.form) === 1 ? each : { ...each, conflict: 'form-is-taken' };
  });
}

const isAnnotated = (tree: PageTree, form: Parse5Element): boolean =>
  !!annotation(tree, form, 'toolname') && annotation(tree, form, 'tooldescription') !== null;
