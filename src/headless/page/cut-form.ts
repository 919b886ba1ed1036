import { listedElements } from '../../compiler/html/elements.js';
import { preview } from '../../compiler/preview.js';
import { ancestors, descendants } from '../../compiler/tree.js';
import type { FormDescription } from '../../compiler/description.js';
import type { Parse5Element, Parse5Page } from '../../parse5/parse5-tree.js';
import { groupsOf, knownGroups, type ComparedForm } from './compare-form.js';

/**
 * The first control of the manifest that a form lacks because it ended too early, as the end of a sentence about the form. A page may
 * lack controls of users. But the end tag of a form in the content of a visitor ends the form around it, so that the later controls
 * have no form, or one in the content, and their values are not sent.
 */
export function cutDifference(
  { tree, document }: Parse5Page,
  { form, controls }: ComparedForm,
  expected: FormDescription,
): string | undefined {
  const found = groupsOf(form);
  const missing = new Set([...knownGroups(expected).keys()].filter((name) => !found.has(name)));
  if (missing.size === 0) return undefined;
  const [element = null] = controls.map((control) => tree.formOwner(control));
  const known = new Map<Parse5Element, boolean>(); // a page can have many controls of one form, deep in it
  const isInside = (owner: Parse5Element): boolean => {
    const isBelow = known.get(owner) ?? (owner !== element && [...ancestors(tree, owner)].some((up) => up === element));
    known.set(owner, isBelow);
    return isBelow;
  };
  for (const node of descendants(tree, document)) {
    if (!tree.isElement(node) || !listedElements.has(tree.localName(node))) continue;
    const name = tree.attribute(node, 'name') ?? '';
    if (!missing.has(name)) continue;
    const owner = tree.formOwner(node);
    if (owner === null || isInside(owner))
      return `ends before its control ${preview(name)}, as at the end tag of a form inside of it`;
  }
  return undefined;
}
