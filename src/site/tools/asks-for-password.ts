import { descendants } from '../../compiler/tree.js';
import { isIgnored } from '../../compiler/ignored.js';
import { pageLimits, parsePage } from '../../parse5/parse5-tree.js';

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

/** Whether the source of a page has a password input, as a login has. */
export const hasPasswordInput = (html: string): boolean => passwordInput.test(html);

/** The attributes before `type` cannot contain another tag, so that the time is proportional to the page. */
const passwordInput = /<input\b[^<>]{0,500}?\btype\s{0,20}=\s{0,20}["']?password\b/i;

const loginPath = /\b(?:log|sign)[-_]?[io]n\b|\bauth\b|\bsso\b/i;

/** Whether the path of a URL, after a redirect, is probably that of a login. */
export const isLoginPath = (path: string): boolean => loginPath.test(path);
