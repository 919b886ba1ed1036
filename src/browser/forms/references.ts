import { Budget, maxReading } from '../../compiler/limits.js';
import { MultiMap, SafeWeakMap } from '../../platform/collections.js';
import { domTree, query, rootOf } from '../dom/dom-tree.js';

const referringAttributes = ['for', 'form'] as const;

export const idAttributes = ['id', ...referringAttributes] as const;

const idsIn = (element: Element, attributes: readonly string[]): readonly string[] =>
  attributes.map((name) => domTree.attribute(element, name) ?? '').filter((id) => id !== '');

export const idsOf = (element: Element): readonly string[] => idsIn(element, idAttributes);

/** A node if it is an element, and its descendants that have an ID attribute. */
export const elementsWithIds = (node: Node): readonly Element[] => {
  const below = query(node, '[id], [for], [form]');
  return domTree.isElement(node) ? [node, ...below] : below;
};

/** Indexes the elements that refer to an ID, because a query per lookup would search the whole page. */
export class References {
  /** The remaining work for reading the labels and descriptions of all forms. */
  readonly budget = new Budget(maxReading);
  /** The work that is left for the suggestions, patterns and ranges of all forms. */
  readonly extras = new Budget(maxReading);
  readonly #byId = new MultiMap<string, Element>();
  readonly #ids = new SafeWeakMap<Element, readonly string[]>();

  update(element: Element): void {
    this.#set(element, idsIn(element, referringAttributes));
  }

  remove(element: Element): void {
    this.#set(element, []);
  }

  #set(element: Element, ids: readonly string[]): void {
    this.#byId.move(element, this.#ids.get(element) ?? [], ids);
    if (ids.length > 0) this.#ids.set(element, ids);
    else this.#ids.delete(element);
  }

  to(id: string, name: 'for' | 'form', root: Node): readonly Element[] {
    return [...this.#byId.get(id)].filter(
      (element) => domTree.attribute(element, name) === id && rootOf(element) === root,
    );
  }
}
