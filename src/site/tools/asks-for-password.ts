import { isIgnored } from '../../compiler/ignored.js';
import { descendants } from '../../compiler/tree.js';
import { PageLimitError, parseWithinLimits } from '../../parse5/parse5-tree.js';
import { hasPasswordInput } from './password-input.js';

/** Whether a page has a password input, as logins have. Ignores content that the page excludes from tools. */
export const asksForPassword = (html: string): boolean => hasPasswordInput(html) && hasOwnPasswordInput(html);

function hasOwnPasswordInput(html: string): boolean {
  const page = parseWithinLimits(html, false);
  if (page instanceof PageLimitError) return true;
  const { tree, document } = page;
  for (const node of descendants(tree, document, (each) => tree.isElement(each) && isIgnored(tree, each))) {
    if (!tree.isElement(node) || tree.localName(node) !== 'input') continue;
    if (tree.attribute(node, 'type')?.toLowerCase() === 'password') return true;
  }
  return false;
}
