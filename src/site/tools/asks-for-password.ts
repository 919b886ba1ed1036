import { isIgnored } from '../../compiler/ignored.js';
import { descendants } from '../../compiler/tree.js';
import { pageLimits, parsePage } from '../../parse5/parse5-tree.js';
import { hasPasswordInput } from './password-input.js';

/** Whether a page has a password input, as a login has, outside of the content that it excludes from tools. */
export const asksForPassword = (html: string): boolean => hasPasswordInput(html) && hasOwnPasswordInput(html);

function hasOwnPasswordInput(html: string): boolean {
  try {
    const { tree, document } = parsePage(html, { ...pageLimits, locations: false });
    const nodes = descendants(tree, document, (node) => tree.isElement(node) && isIgnored(tree, node));
    for (const node of nodes) {
      if (!tree.isElement(node) || tree.localName(node) !== 'input') continue;
      if (tree.attribute(node, 'type')?.toLowerCase() === 'password') return true;
    }
    return false;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return true; // the page exceeds the limits of the parser
  }
}
