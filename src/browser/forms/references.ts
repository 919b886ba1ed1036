import { Budget, maxReading } from '../../compiler/limits.js';
import { MultiMap, SafeWeakMap } from '../../platform/collections.js';
import { domTree, isInIgnored, query, rootOf } from '../dom/dom-tree.js';

export const idAttributes = ['id', 'for', 'form'] as const;

export const idsOf = (element: Element): readonly string[] =>
  idAttributes.map((name) => domTree.attribute(element, name) ?? '').filter((id) => id !== '');

/** A node if it is an element, and its descendants with `id`, `for` or `form`. */
export const elementsWithIds = (node: Node): readonly Element[] => {
  const below = query(node, '[id], [for], [form]');
  return domTree.isElement(node) ? [node, ...below] : below;
};

/** Indexes the elements that have or refer to an ID, because a query per lookup would search the whole page. */
export class References {
  /** The remaining work for reading the labels and descriptions of all forms. */
  readonly budget = new Budget(maxReading);
  /** The remaining work for the suggestions, patterns and ranges of all forms. */
  readonly extras = new Budget(maxReading);
  /** The remaining work for the text between the controls of all forms. */
  readonly layout = new Budget(maxReading);
  readonly #byId = new MultiMap<string, Element>();
  readonly #ids = new SafeWeakMap<Element, readonly string[]>();

  update(element: Element): void {
    this.#set(element, idsOf(element));
  }

  remove(element: Element): void {
    this.#set(element, []);
  }

  #set(element: Element, ids: readonly string[]): void {
    this.#byId.move(element, this.#ids.get(element) ?? [], ids);
    if (ids.length > 0) this.#ids.set(element, ids);
    else this.#ids.delete(element);
  }

  /** The elements of a root whose attribute `name` has the value `id`, except in ignored subtrees. */
  to(id: string, name: (typeof idAttributes)[number], root: Node): readonly Element[] {
    return [...this.#byId.get(id)].filter(
      (element) => domTree.attribute(element, name) === id && rootOf(element) === root && !isInIgnored(element),
    );
  }
}
