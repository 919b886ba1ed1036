import { domTree } from '../../../../src/browser/dom/dom-tree.js';
import { descendants } from '../../../../src/compiler/tree.js';
import { getter, setter } from '../../../../src/platform/primordials.js';
import { restoreText } from '../inert-tags.js';

const attributesOf = getter<Element, NamedNodeMap>('Element', 'attributes');
const valueOf = getter<Attr, string>('Attr', 'value');
const setValue = setter<Attr, string>('Attr', 'value');
const setData = setter<Node, string>('CharacterData', 'data');

/** Restores the text and the values of attributes that look like tags. */
export function restoreValues(root: Node, marker: string): void {
  for (const node of descendants(domTree, root)) {
    if (domTree.isElement(node)) restoreElement(node, marker);
    else restore(domTree.text(node), marker, (text) => setData(node, text));
  }
}

function restoreElement(element: Element, marker: string): void {
  for (const attribute of [...attributesOf(element)])
    restore(valueOf(attribute), marker, (value) => setValue(attribute, value));
  const shadow = domTree.shadowRoot(element);
  if (shadow !== null) restoreValues(shadow, marker);
}

function restore(text: string | null, marker: string, set: (text: string) => void): void {
  if (!text?.includes(marker)) return;
  const restored = restoreText(text, marker);
  if (restored !== text) set(restored);
}
