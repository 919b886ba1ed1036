import { getter, method } from '../platform/captured.js';
import { OwnMap, OwnSet } from '../platform/collections.js';
import { domTree, query } from './dom-tree.js';

const isConnected = getter<Node, boolean>('Node', 'isConnected');
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
  readonly #byId = new OwnMap<string, Set<Element>>();

  add(element: Element): void {
    for (const name of naming) {
      const id = domTree.attribute(element, name);
      if (!id) continue;
      const known = this.#byId.get(id);
      if (known) known.add(element);
      else this.#byId.set(id, new OwnSet([element]));
    }
  }

  /** Forgets an element that is gone from the page. */
  remove(element: Element): void {
    if (isConnected(element)) return;
    for (const name of naming) this.#byId.get(domTree.attribute(element, name) ?? '')?.delete(element);
  }

  /** The elements of a tree scope that name an ID by an attribute. */
  to(id: string, name: 'for' | 'form', root: Node): readonly Element[] {
    return [...(this.#byId.get(id) ?? [])].filter(
      (element) => domTree.attribute(element, name) === id && getRootNode(element) === root,
    );
  }
}
