import { listedElements } from '../../compiler/html/elements.js';
import { preview } from '../../compiler/preview.js';
import { descendants } from '../../compiler/tree.js';
import type { FormDescription } from '../../compiler/description.js';
import type { Parse5Page } from '../../parse5/parse5-tree.js';
import { insideOf } from '../../site/tools/tool-elements.js';
import { groupsOf, keyOf, knownGroups, withControls, type ComparedForm } from './compare-form.js';

/**
 * A form without the controls from outside of it (with the attribute `form`, or beside it in wrong markup) that the
 * manifest lacks: markup of visitors can add such controls to each form of its page.
 */
export function withOwnControls(
  tree: Parse5Page['tree'],
  { element, form, controls }: ComparedForm,
  known: FormDescription,
): ComparedForm {
  const isInside = insideOf(tree, element);
  const inside = controls.map(isInside);
  if (!inside.includes(false)) return { element, form, controls };
  const missing = countBy(known.controls, keyOf);
  form.controls.forEach((control, index) => {
    if (inside[index]) missing.set(keyOf(control), (missing.get(keyOf(control)) ?? 0) - 1);
  });
  const isKept = form.controls.map((control, index) => inside[index] || (missing.get(keyOf(control)) ?? 0) > 0);
  return withControls({ element, form, controls }, (_, index) => isKept[index] === true);
}

function countBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

/**
 * The first control of the manifest that a form lacks because it ended too early, as the end of a sentence about the form. A page may
 * lack controls of users. But the end tag of a form in the content of a visitor ends the form around it, so that the later controls
 * have no form, or one in the content, and their values are not sent.
 */
export function cutDifference(
  { tree, document }: Parse5Page,
  { element, form }: ComparedForm,
  expected: FormDescription,
): string | undefined {
  const found = groupsOf(form);
  const missing = new Set([...knownGroups(expected).keys()].filter((name) => !found.has(name)));
  if (missing.size === 0) return undefined;
  const isInside = insideOf(tree, element);
  for (const node of descendants(tree, document)) {
    if (!tree.isElement(node) || !listedElements.has(tree.localName(node))) continue;
    const name = tree.attribute(node, 'name') ?? '';
    if (!missing.has(name)) continue;
    const owner = tree.formOwner(node);
    if (owner === null || (owner !== element && isInside(owner)))
      return `ends before its control ${preview(name)}, as at the end tag of a form inside of it`;
  }
  return undefined;
}
