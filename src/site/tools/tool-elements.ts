import { annotation } from '../../compiler/describe/label-text.js';
import { isIgnored } from '../../compiler/ignored.js';
import {
  withoutQuery,
  formSelectorOf,
  matchesSelector,
  type FormSelector,
} from '../../compiler/tool-element/form-selector.js';
import type { Tree } from '../../compiler/tree.js';
import type { Parse5Element, Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';

export type PageTree = Tree<Parse5Node, Parse5Element>;

export interface ToolElement {
  readonly element: Parse5Element;
  /** The selector of the form; empty for a form inside the element. */
  readonly selector: FormSelector;
  /** The form; null if it cannot be identified; undefined if the element has neither a selector nor a form inside. */
  readonly form: Parse5Element | null | undefined;
  readonly isNotForm: boolean;
  /** The selected elements or the forms inside, if there are several. A visitor may have written one of them. */
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

interface Root {
  readonly byId: Map<string, Parse5Element[]>;
  readonly formsByName: Map<string, Parse5Element[]>;
  /** By the action without its query. */
  readonly formsByAction: Map<string, Parse5Element[]>;
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

const newRoot = (): Root => ({
  byId: new Map(),
  formsByName: new Map(),
  formsByAction: new Map(),
  open: [],
});

/** Adds an element to the elements of a key, unless the element has no key. */
function index(elements: Map<string, Parse5Element[]>, key: string | null, element: Parse5Element): void {
  const others = key === null || key === '' ? undefined : elements.get(key);
  if (others) others.push(element);
  else if (key) elements.set(key, [element]);
}

/**
 * Finds the `<webmcp-tool>` elements of a page and its shadow trees, with their forms, in one walk. Elements with `src` are
 * ignored, because their tools come from a webtool.
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
  index(root.byId, tree.attribute(element, 'id'), element);
  const name = tree.localName(element);
  if (name === 'form') {
    index(root.formsByName, tree.attribute(element, 'name'), element);
    index(root.formsByAction, withoutQuery(tree.attribute(element, 'action') ?? ''), element);
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

/** The first two elements that match. */
function selectedIn(tree: PageTree, root: Root, selector: FormSelector): readonly Parse5Element[] {
  const [[attribute, value] = ['for', ''] as const] = selector;
  const candidates = {
    for: () => root.byId.get(value),
    'for-name': () => root.formsByName.get(value),
    'for-action': () => root.formsByAction.get(withoutQuery(value)),
  }[attribute]();
  const found: Parse5Element[] = [];
  for (const each of candidates ?? []) {
    if (matchesSelector(selector, (name) => tree.attribute(each, name))) found.push(each);
    if (found.length > 1) break;
  }
  return found;
}

/** Resolves the form of each element. Annotated forms and forms of several elements are conflicts. */
function resolveForms(tree: PageTree, tools: readonly Found[]): readonly ToolElement[] {
  const users = new Map<Parse5Element, number>();
  const found = tools.map(({ element, root, inside }): ToolElement => {
    const selector = formSelectorOf((name) => tree.attribute(element, name));
    const isSelected = selector.length > 0;
    if (!isSelected && inside.length === 0) return { element, selector, form: undefined, isNotForm: false };
    const named = isSelected ? selectedIn(tree, root, selector) : inside;
    if (named.length > 1) return { element, selector, form: null, isNotForm: true, repeated: named };
    const target = named[0] ?? null;
    if (target === null || tree.localName(target) !== 'form')
      return { element, selector, form: null, isNotForm: target !== null };
    users.set(target, (users.get(target) ?? 0) + 1);
    return { element, selector, form: target, isNotForm: false };
  });
  return found.map((each) => {
    if (!each.form) return each;
    if (isAnnotated(tree, each.form)) return { ...each, conflict: 'form-is-annotated' };
    return users.get(each.form) === 1 ? each : { ...each, conflict: 'form-is-taken' };
  });
}

const isAnnotated = (tree: PageTree, form: Parse5Element): boolean =>
  !!annotation(tree, form, 'toolname') && annotation(tree, form, 'tooldescription') !== null;

/** Returns a predicate for the elements in a form. Reads each ancestor once, because many controls can be deeply nested. */
export function insideOf(tree: PageTree, form: Parse5Element): (element: Parse5Element) => boolean {
  const known = new Map<Parse5Node, boolean>([[form, true]]);
  return (element) => {
    const path: Parse5Node[] = [];
    let up: Parse5Node | null = element;
    for (; up !== null && !known.has(up); up = tree.parent(up)) path.push(up);
    const isInside = up !== null && known.get(up) === true;
    for (const each of path) known.set(each, isInside);
    return isInside;
  };
}
