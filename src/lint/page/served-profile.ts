import { defaultSensitive, profileNames, type ProfileName } from '../../compiler/index.js';
import { descendants } from '../../compiler/tree.js';
import type { Parse5Page } from '../../parse5/parse5-tree.js';
import type { ToolReading } from '../../site/tools/compile-form.js';
import { readTools } from '../../site/tools/read-tools.js';

const scriptName = /\bwebmcp-forms(?:\.full)?\.iife\.js\b/;

/** The profile of the script of webmcp-forms in a page. */
export function servedProfile(html: string, { document, tree }: Parse5Page): ProfileName | undefined {
  if (!scriptName.test(html)) return undefined; // a fast pretest
  for (const node of descendants(tree, document)) {
    if (!tree.isElement(node) || tree.localName(node) !== 'script') continue;
    if (!scriptName.test(tree.attribute(node, 'src') ?? '')) continue;
    const named = tree.attribute(node, 'data-profile') ?? 'chromium';
    return profileNames.find((name) => name === named);
  }
  return undefined;
}

/** Adds the parameters that have no description in the profile of the page's script. */
export function addUndescribed(
  tools: readonly ToolReading[],
  page: Parse5Page,
  served: ProfileName,
): readonly ToolReading[] {
  const others = readTools(page, { profile: served, sensitive: defaultSensitive(served) }).tools;
  return tools.map((tool, index) => {
    const known = new Set(
      tool.diagnostics.filter(({ code }) => code === undescribed).map(({ parameter }) => parameter),
    );
    const added = (others[index]?.diagnostics ?? [])
      .filter(({ code, parameter }) => code === undescribed && !known.has(parameter))
      .map((each) => ({ ...each, message: `${each.message} The page's script uses the profile ${served}.` }));
    return added.length > 0 ? { ...tool, diagnostics: [...tool.diagnostics, ...added] } : tool;
  });
}

const undescribed = 'missing-parameter-description';
