import { listedElements } from '../../compiler/html/elements.js';
import { preview } from '../../compiler/preview.js';
import { ancestors, descendants } from '../../compiler/tree.js';
import type { FormDescription } from '../../compiler/description.js';
import type { Parse5Element, Parse5Node, Parse5Page } from '../../parse5/parse5-tree.js';
import { groupsOf, keyOf, knownGroups, type ComparedForm } from './compare-form.js';

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
  return {
    element,
    form: { ...form, controls: form.controls.filter((_, index) => isKept[index]) },
    controls: controls.filter((_, index) => isKept[index]),
  };
}

/** Reads each ancestor once, because a page can have many controls deep in it. */
function insideOf(tree: Parse5Page['tree'], form: Parse5Element): (control: Parse5Element) => boolean {
  const known = new Map<Parse5Node, boolean>([[form, true]]);
  return (control) => {
    const path: Parse5Node[] = [];
    let node: Parse5Node | null = control;
    while (node !== null && !known.has(node)) {
      path.push(node);
      node = tree.parent(node);
    }
    const isInside = node !== null && known.get(node) === true;
    for (const each of path) known.set(each, isInside);
    return isInside;
  };
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
