import type { Scope } from '../../compiler/describe/scope.js';
import { isCustomElementName } from '../../compiler/html/elements.js';
import { descendants } from '../../compiler/tree.js';
import type { Parse5Element, Parse5Node } from '../../parse5/parse5-tree.js';
import type { PageTree } from './tool-elements.js';

export interface NamedControls {
  readonly has: (name: string) => boolean;
  /** The elements that the description of a parameter applies to: controls, or the group of radio buttons or checkboxes. */
  readonly describedBy: (name: string) => readonly Parse5Element[];
}

export function readNames(tree: PageTree, form: Parse5Element, scope: Scope<Parse5Element>): NamedControls {
  const byName = new Map<string, Parse5Element[]>();
  const groups = new Groups(tree);
  for (const control of scope.controls(form)) {
    if (inputType(tree, control) === 'image') continue;
    const name = tree.localName(control) === 'fieldset' ? null : tree.attribute(control, 'name');
    const sameName = byName.get(name ?? '');
    if (sameName) sameName.push(control);
    else if (name !== null) byName.set(name, [control]);
    groups.add(control, name);
  }
  let customNames: ReadonlySet<string | null> | undefined;
  return {
    has: (name) => byName.has(name) || (customNames ??= readCustomNames(tree, form)).has(name),
    describedBy: (name) => {
      const controls = byName.get(name) ?? [];
      const [first] = controls;
      const isGroup = first && controls.length > 1 && controls.every((control) => isCheckable(tree, control));
      if (!isGroup) return controls;
      const group = groups.around(first);
      return group?.isOfOneName && group.name === name && group.controls === controls.length ? [group.element] : [];
    },
  };
}

/** The names of custom elements in a form. A script decides which of them are controls. */
function readCustomNames(tree: PageTree, form: Parse5Element): ReadonlySet<string | null> {
  const elements = [...descendants(tree, form)].filter((node): node is Parse5Element => tree.isElement(node));
  const custom = elements.filter(
    (each) => isCustomElementName(tree.localName(each)) && each.tagName !== 'webmcp-param',
  );
  return new Set(custom.map((each) => tree.attribute(each, 'name')));
}

const isCheckable = (tree: PageTree, control: Parse5Element): boolean =>
  /^(?:radio|checkbox)$/.test(inputType(tree, control));

const inputType = (tree: PageTree, control: Parse5Element): string =>
  tree.localName(control) === 'input' ? (tree.attribute(control, 'type') ?? '').toLowerCase() : '';

/** A fieldset or an ARIA group, with the number of controls in it and their common name. */
interface Group {
  readonly element: Parse5Element;
  readonly around: Group | undefined;
  controls: number;
  /** Whether all controls have the name `name`. */
  isOfOneName: boolean;
  name: string | null;
}

/** The maximum number of groups to update for a control. Updates take time proportional to controls times groups. */
const maxGroups = 100;

/** The groups around controls. The ancestors of each node are visited once. */
class Groups {
  readonly #tree: PageTree;
  readonly #nearest = new Map<Parse5Node, Group | undefined>();

  constructor(tree: PageTree) {
    this.#tree = tree;
  }

  add(control: Parse5Element, name: string | null): void {
    let group = this.around(control);
    for (let count = 0; group && count < maxGroups; count++, group = group.around) {
      if (group.controls === 0) group.name = name;
      else if (group.name !== name) group.isOfOneName = false;
      group.controls++;
    }
  }

  around(control: Parse5Element): Group | undefined {
    const path: Parse5Node[] = [];
    let node = this.#tree.parent(control);
    for (; node !== null && !this.#nearest.has(node); node = this.#tree.parent(node)) path.push(node);
    const known = node === null ? undefined : this.#nearest.get(node);
    return path.reduceRight((around, each) => this.#enter(each, around), known);
  }

  #enter(node: Parse5Node, around: Group | undefined): Group | undefined {
    const group =
      this.#tree.isElement(node) && isGroup(this.#tree, node)
        ? { element: node, around, controls: 0, isOfOneName: true, name: null }
        : around;
    this.#nearest.set(node, group);
    return group;
  }
}

const isGroup = (tree: PageTree, element: Parse5Element): boolean =>
  tree.localName(element) === 'fieldset' || /^(?:radio)?group$/.test(tree.attribute(element, 'role') ?? '');
