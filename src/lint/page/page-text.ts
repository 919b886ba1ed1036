import { isHidden } from '../../compiler/html/text.js';
import { descendants, type Tree } from '../../compiler/tree.js';
import type { Parse5Element, Parse5Node } from '../../parse5/parse5-tree.js';
import { attributeOf } from './place.js';

const silent = new Set(['script', 'style', 'template', 'noscript', ':script', ':style']);
const spoken = ['placeholder', 'alt', 'aria-label', 'title', 'label', 'name', 'value', 'action', 'content'];

/** What people see of a page and what its markup calls things, in lower case; hidden parts may be shown later. */
export function pageText(tree: Tree<Parse5Node, Parse5Element>, root: Parse5Node): string {
  const parts: string[] = [];
  const skip = (node: Parse5Node): boolean => tree.isElement(node) && silent.has(tree.localName(node));
  for (const node of descendants(tree, root, skip)) {
    if (!tree.isElement(node)) {
      const text = tree.text(node);
      if (text !== null && !isBlank(text)) parts.push(text);
      continue;
    }
    for (const name of spoken) parts.push(attributeOf(node, name) ?? '');
    const shadow = tree.shadowRoot(node);
    if (shadow !== null && !isHidden(tree, node)) parts.push(pageText(tree, shadow));
  }
  return parts.filter(Boolean).join(' ').toLowerCase();
}

const isBlank = (text: string): boolean => !/\S/.test(text);
