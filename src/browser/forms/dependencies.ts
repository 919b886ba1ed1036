import { MultiMap, SafeSet } from '../../platform/collections.js';
import { domTree } from '../dom/dom-tree.js';
import { contains } from '../dom/members.js';
import type { LiveScope } from './live-scope.js';

/** The nodes outside a form and the IDs that its description depends on. */
export interface Dependencies {
  /** Elements whose entire content describes the form. */
  readonly subtrees: readonly Element[];
  /** Groups around the form or its controls: only their own attributes and children matter. */
  readonly groups: readonly Element[];
  readonly ids: readonly string[];
}

export const noDependencies: Dependencies = { subtrees: [], groups: [], ids: [] };

export function dependenciesOf(form: Element, controls: readonly Element[], scope: LiveScope): Dependencies {
  const outside = controls.filter((control) => !contains(form, control));
  const groups = groupsAround([form, ...outside]);
  const subtrees = [...scope.read, ...outside, ...groups.flatMap(legends)].filter(
    (element) => !contains(form, element),
  );
  const id = domTree.attribute(form, 'id');
  return { subtrees, groups, ids: id ? [...scope.ids, id] : [...scope.ids] };
}

function groupsAround(elements: readonly Element[]): readonly Element[] {
  const groups = new SafeSet<Element>();
  const visited = new SafeSet<Node>();
  for (const element of elements) {
    for (let up = domTree.parent(element); up !== null && !visited.has(up); up = domTree.parent(up)) {
      visited.add(up);
      if (domTree.isElement(up) && isGroup(up)) groups.add(up);
    }
  }
  return [...groups];
}

const isGroup = (element: Element): boolean =>
  domTree.localName(element) === 'fieldset' || domTree.attribute(element, 'role') !== null;

const legends = (group: Element): readonly Element[] =>
  domTree
    .children(group)
    .filter((child): child is Element => domTree.isElement(child) && domTree.localName(child) === 'legend');

/** The forms by the nodes and IDs that their descriptions depend on. */
export class DependencyIndex {
  readonly bySubtree = new MultiMap<Node, Element>();
  readonly byGroup = new MultiMap<Node, Element>();
  readonly byId = new MultiMap<string, Element>();

  update(form: Element, before: Dependencies, after: Dependencies): void {
    this.bySubtree.move(form, before.subtrees, after.subtrees);
    this.byGroup.move(form, before.groups, after.groups);
    this.byId.move(form, before.ids, after.ids);
  }
}
