import { documentOf, nodesIn, windowOf } from '../../platform/dom.js';
import { listenToPrototype } from '../../platform/patched-prototypes.js';
import { apply, getter, method } from '../../platform/primordials.js';
import { define, operation } from '../../platform/properties.js';

export const observe = method<MutationObserver, [Node, MutationObserverInit], void>('MutationObserver', 'observe');
export const disconnect = method<MutationObserver, [], void>('MutationObserver', 'disconnect');
export const takeRecords = method<MutationObserver, [], MutationRecord[]>('MutationObserver', 'takeRecords');
export const recordType = getter<MutationRecord, string>('MutationRecord', 'type');
export const targetOf = getter<MutationRecord, Node>('MutationRecord', 'target');
const addedNodes = getter<MutationRecord, NodeList>('MutationRecord', 'addedNodes');
const removedNodes = getter<MutationRecord, NodeList>('MutationRecord', 'removedNodes');

export const addedBy = (record: MutationRecord): readonly Node[] => nodesIn(addedNodes(record));
export const removedBy = (record: MutationRecord): readonly Node[] => nodesIn(removedNodes(record));

/** Reports open shadow roots that scripts attach, because MutationObserver does not, until a signal aborts. */
export function onShadowRoot(
  node: Node,
  signal: AbortSignal | undefined,
  listener: (shadow: ShadowRoot) => void,
): void {
  const prototype = windowOf(documentOf(node))?.Element.prototype;
  if (!prototype) return;
  listenToPrototype(prototype, listener, signal, (notify) => {
    const attachShadow = Reflect.get(prototype, 'attachShadow') as () => ShadowRoot;
    const patched = operation('attachShadow', 1, function (this: unknown, ...args) {
      const shadow = apply(attachShadow, this, args);
      if (shadow.mode === 'open') notify(shadow);
      return shadow;
    });
    define(prototype, 'attachShadow', patched);
  });
}
