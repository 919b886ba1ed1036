import { method } from '../../platform/primordials.js';
import { SafeMap, SafeSet, SafeWeakMap } from '../../platform/collections.js';
import { domTree } from '../dom/dom-tree.js';
import type { LiveScope } from './live-scope.js';

const contains = method<Node, [Node | null], boolean>('Node', 'contains');

/** What a form's description depends on beside the form itself. */
export interface Interest {
  /** Elements outside of the form that describe it by all that is in them. */
  readonly trees: readonly Element[];
  /** Groups around the form or its controls, of which only their own attributes and children matter. */
  readonly groups: readonly Element[];
  readonly ids: readonly string[];
}

export const none: Interest = { trees: [], groups: [], ids: [] };

/** What a form that was just described depends on. */
export function interestOf(form: Element, controls: readonly Element[], scope: LiveScope): Interest {
  const outside = controls.filter((control) => !contains(form, control));
  const groups = groupsAround([form, ...outside]);
  const read = [...scope.read, ...outside, ...groups.flatMap(legends)].filter((element) => !contains(form, element));
  const id = domTree.attribute(form, 'id');
  return { trees: read, groups, ids: id ? [...scope.ids, id] : [...scope.ids] };
}

function groupsAround(elements: readonly Element[]): readonly Element[] {
  const groups = new SafeSet<Element>();
  for (const element of elements) {
    for (let up = domTree.parent(element); up !== null; up = domTree.parent(up)) {
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

/** Which forms depend on a node or on an ID. */
export class Interests<Form> {
  readonly #trees = new SafeWeakMap<Node, Set<Form>>();
  readonly #groups = new SafeWeakMap<Node, Set<Form>>();
  readonly #ids = new SafeMap<string, Set<Form>>();

  /** Replaces what a form depends on. */
  change(form: Form, before: Interest, after: Interest): void {
    for (const [map, old, fresh] of [
      [this.#trees, before.trees, after.trees],
      [this.#groups, before.groups, after.groups],
      [this.#ids, before.ids, after.ids],
    ] as const) {
      for (const key of old) remove(map as Keyed<Form>, key, form);
      for (const key of fresh) add(map as Keyed<Form>, key, form);
    }
  }

  /** The forms that an element and all in it describe. */
  inTree = (node: Node): Iterable<Form> => this.#trees.get(node) ?? [];
  /** The forms that an element itself describes. */
  inGroup = (node: Node): Iterable<Form> => this.#groups.get(node) ?? [];
  byId = (id: string): Iterable<Form> => this.#ids.get(id) ?? [];
}

interface Keyed<Form> {
  get(key: unknown): Set<Form> | undefined;
  set(key: unknown, forms: Set<Form>): unknown;
  delete(key: unknown): boolean;
}

function add<Form>(map: Keyed<Form>, key: unknown, form: Form): void {
  const forms = map.get(key);
  if (forms) forms.add(form);
  else map.set(key, new SafeSet([form]));
}

function remove<Form>(map: Keyed<Form>, key: unknown, form: Form): void {
  const forms = map.get(key);
  forms?.delete(form);
  if (forms?.size === 0) map.delete(key);
}
