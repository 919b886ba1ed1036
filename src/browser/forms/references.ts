import { method } from '../../platform/primordials.js';
import { SafeMap, SafeSet, SafeWeakMap } from '../../platform/collections.js';
import { domTree, query } from '../dom/dom-tree.js';

const getRootNode = method<Node, [], Node>('Node', 'getRootNode');

/** The attributes by which an element is named, or names another. */
export const references = ['id', 'for', 'form'] as const;
const naming = ['for', 'form'];

/** The IDs that an element is named by or names. */
export const idsOf = (element: Element): readonly string[] =>
  references.map((name) => domTree.attribute(element, name)).filter((id) => id !== null && id !== '') as string[];

/** An element with all below it that is named, or names another. */
export const referring = (node: Node): readonly Element[] =>
  domTree.isElement(node) ? [node, ...query(node, '[id], [for], [form]')] : query(node, '[id], [for], [form]');

/** Which elements name an ID, kept while the page changes: a look-up of the page's own would read all of it. */
export class References {
  readonly #byId = new SafeMap<string, Set<Element>>();
  readonly #idsBy = new SafeWeakMap<Element, readonly string[]>();

  /** Takes an element anew, as it is now. */
  add(element: Element): void {
    this.remove(element);
    const ids = naming.map((name) => domTree.attribute(element, name) ?? '').filter((id) => id !== '');
    if (ids.length === 0) return;
    this.#idsBy.set(element, ids);
    for (const id of ids) this.#byId.set(id, (this.#byId.get(id) ?? new SafeSet()).add(element));
  }

  remove(element: Element): void {
    for (const id of this.#idsBy.get(element) ?? []) {
      const elements = this.#byId.get(id);
      elements?.delete(element);
      if (elements?.size === 0) this.#byId.delete(id);
    }
    this.#idsBy.delete(element);
  }

  /** The elements of a tree scope that name an ID by an attribute. */
  to(id: string, name: 'for' | 'form', root: Node): readonly Element[] {
    return [...(this.#byId.get(id) ?? [])].filter(
      (element) => domTree.attribute(element, name) === id && getRootNode(element) === root,
    );
  }
}
