import { defaultSensitive, profileNames, type ProfileName, type Sensitive } from '../../compiler/index.js';
import { descendants } from '../../compiler/tree.js';
import type { Parse5Element, Parse5Page } from '../../parse5/parse5-tree.js';

/** The file name of the script, with a hash in Vite builds; and a string in its code, for inline scripts. */
const scriptName = /\bwebmcp-forms(?:\.full)?\.iife(?:-[\da-f]+)?\.js\b/;
const scriptCode = 'webmcp-forms.names.';

/** Whether a URL, a start tag or code belongs to the script of webmcp-forms. */
export const isPageScript = (text: string): boolean => scriptName.test(text) || text.includes(scriptCode);

interface ServedOptions {
  readonly profile: ProfileName;
  readonly sensitive: Sensitive;
}

/** The options of the script of webmcp-forms in a page. */
export function servedOptions(html: string, { document, tree }: Parse5Page): ServedOptions | undefined {
  if (!isPageScript(html)) return undefined; // a fast pretest
  for (const node of descendants(tree, document))
    if (tree.isElement(node) && isScript(tree, node)) return optionsOf(tree, node);
  return undefined;
}

function isScript(tree: Parse5Page['tree'], element: Parse5Element): boolean {
  if (tree.localName(element) !== 'script') return false;
  const source = tree.attribute(element, 'src');
  if (source !== null) return scriptName.test(source);
  return [...tree.children(element)].some((node) => tree.text(node)?.includes(scriptCode));
}

/** Reads the options of a script. The defaults replace unknown values, as in the page. */
function optionsOf(tree: Parse5Page['tree'], script: Parse5Element): ServedOptions {
  const named = tree.attribute(script, 'data-profile');
  const profile = profileNames.find((name) => name === named) ?? 'chromium';
  const sensitive = tree.attribute(script, 'data-sensitive');
  return {
    profile,
    sensitive: sensitive === 'include' || sensitive === 'exclude' ? sensitive : defaultSensitive(profile),
  };
}
