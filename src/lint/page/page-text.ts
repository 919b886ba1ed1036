import { isHidden } from '../../compiler/html/tree-reader.js';
import { descendants } from '../../compiler/tree.js';
import type { Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';
import { attributeOf } from './place.js';

const invisible = new Set(['script', 'style', 'template', 'noscript', ':script', ':style']);
const textAttributes = ['placeholder', 'alt', 'aria-label', 'title', 'label', 'name', 'value', 'action', 'content'];

/**
 * The text of a page and of its labeling attributes, in lower case. Includes hidden parts, which scripts may show
 * later.
 */
export function pageText({ document, tree }: Parse5Page): string {
  const parts: string[] = [];
  const roots: Parse5Node[] = [document];
  const skip = (node: Parse5Node): boolean => tree.isElement(node) && invisible.has(tree.localName(node));
  for (let root = roots.pop(); root; root = roots.pop()) {
    for (const node of descendants(tree, root, skip)) {
      if (!tree.isElement(node)) {
        parts.push(tree.text(node) ?? '');
        continue;
      }
      for (const name of textAttributes) parts.push(attributeOf(node, name) ?? '');
      const shadow = tree.shadowRoot(node);
      if (shadow !== null && !isHidden(tree, node)) roots.push(shadow);
    }
  }
  return parts
    .filter((part) => /\S/.test(part))
    .join(' ')
    .toLowerCase();
}
