import type { Scope } from '../../compiler/describe/scope.js';
import { isCustomElementName } from '../../compiler/html/elements.js';
import { descendants, type Tree } from '../../compiler/tree.js';
import type { Parse5Element, Parse5Node } from '../../parse5/parse5-tree.js';

type PageTree = Tree<Parse5Node, Parse5Element>;

/** A group with what is known of the controls inside. */
interface Group {
  readonly element: Parse5Element;
  readonly around: Group | undefined;
  controls: number;
  /** Whether all of them have the name of the first. */
  isOfOne: boolean;
  name: string | null;
}

/** The controls of a form by their names, and the groups that are one choice. */
export interface NamedControls {
  /** Whether a control, or a custom element that may be one, has the name. */
  readonly has: (name: string) => boolean;
  /** The element that says what the controls of a name stand for: a control, or the group of several that are one choice. */
  readonly describedBy: (name: string) => readonly Parse5Element[];
}

/** Reads the names of a form's controls. */
export function readNames(tree: PageTree, form: Parse5Element, scope: Scope<Parse5Element>): NamedControls {
  const nameOf = (control: Parse5Element): string | null =>
    tree.localName(control) === 'fieldset' ? null : tree.attribute(control, 'name');
  const controls = scope.controls(form).filter((control) => typeOf(tree, control) !== 'image');
  const byName = new Map<string, Parse5Element[]>();
  const groups = new Groups(tree);
  for (const control of controls) {
    const name = nameOf(control);
    if (name !== null)
      byName
        .set(name, byName.get(name) ?? [])
        .get(name)
        ?.push(control);
    groups.add(control, name);
  }
  let custom: ReadonlySet<string | null> | undefined;
  return {
    has: (name) => byName.has(name) || (custom ??= customNames(tree, form)).has(name),
    describedBy: (name) => describedBy(tree, groups, name, byName.get(name) ?? []),
  };
}

/** The names of the custom elements in a form; which of them are controls a script says. */
function customNames(tree: PageTree, form: Parse5Element): ReadonlySet<string | null> {
  const elements = [...descendants(tree, form)].filter((node): node is Parse5Element => tree.isElement(node));
  const custom = elements.filter((each) => isCustomElementName(tree.localName(each)));
  return new Set(
    custom.filter(({ tagName }) => tagName !== 'webmcp-param').map((each) => tree.attribute(each, 'name')),
  );
}

function describedBy(
  tree: PageTree,
  groups: Groups,
  name: string,
  controls: readonly Parse5Element[],
): readonly Parse5Element[] {
  const [first] = controls;
  if (first === undefined || !controls.every((control) => /^(?:radio|checkbox)$/.test(typeOf(tree, control))))
    return controls;
  const group = groups.around(first);
  const isWhole = group?.isOfOne && group.name === name && group.controls === controls.length;
  if (controls.length > 1) return isWhole ? [group.element] : [];
  return controls;
}

const typeOf = (tree: PageTree, control: Parse5Element): string =>
  tree.localName(control) === 'input' ? (tree.attribute(control, 'type') ?? '').toLowerCase() : '';

/** How many groups around a control are looked at: those of a control in thousands would cost their square. */
const mostGroups = 100;

/** The groups around controls; no node is climbed twice. */
class Groups {
  readonly #tree: PageTree;
  readonly #nearest = new Map<Parse5Node, Group | undefined>();

  constructor(tree: PageTree) {
    this.#tree = tree;
  }

  /** Counts a control in the groups around it. */
  add(control: Parse5Element, name: string | null): void {
    let group = this.around(control);
    for (let count = 0; group && count < mostGroups; count++, group = group.around) {
      if (group.controls === 0) group.name = name;
      else if (group.name !== name) group.isOfOne = false;
      group.controls++;
    }
  }

  around(control: Parse5Element): Group | undefined {
    const parent = this.#tree.parent(control);
    return parent === null ? undefined : this.#at(parent);
  }

  #at(node: Parse5Node): Group | undefined {
    const path: Parse5Node[] = [];
    let up: Parse5Node | null = node;
    for (; up !== null && !this.#nearest.has(up); up = this.#tree.parent(up)) path.push(up);
    const known = up === null ? undefined : this.#nearest.get(up);
    return path.reduceRight((around, each) => this.#enter(each, around), known);
  }

  #enter(node: Parse5Node, around: Group | undefined): Group | undefined {
    const group =
      this.#tree.isElement(node) && isGroup(this.#tree, node)
        ? { element: node, around, controls: 0, isOfOne: true, name: null }
        : around;
    this.#nearest.set(node, group);
    return group;
  }
}

const isGroup = (tree: PageTree, element: Parse5Element): boolean =>
  tree.localName(element) === 'fieldset' || /^(?:radio)?group$/.test(tree.attribute(element, 'role') ?? '');
