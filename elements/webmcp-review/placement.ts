import { attributeOf, parentOf } from '../form-access.js';

/** A form is shown by the usable element whose `for` is its ID, or by the nearest element without `for`. */
export function reviewerOf<Reviewer extends HTMLElement & { readonly htmlFor: string | null }>(
  form: HTMLFormElement,
  reviewers: Iterable<Reviewer>,
): Reviewer | undefined {
  const id = attributeOf(form, 'id');
  const usable = [...reviewers].filter((each) => isUsable(each));
  const named = usable.find(({ htmlFor }) => htmlFor && htmlFor === id);
  if (named) return named;
  const unnamed = usable.filter(({ htmlFor }) => !htmlFor);
  return unnamed.sort((a, b) => distance(form, a) - distance(form, b))[0];
}

/** The distance from a form up to its common ancestor with an element, through shadow trees. */
function distance(form: Node, element: Node): number {
  const above = [...ancestors(element)];
  return [...ancestors(form)].findIndex((node) => above.includes(node));
}

/** Whether the user can see and operate an element: it is not inert, in a closed dialog or behind a modal one. */
function isUsable(element: HTMLElement): boolean {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const above = [...ancestors(element)];
  const modals = [...document.querySelectorAll(':is(dialog:modal)')]; // :is() ignores an unknown pseudo-class
  return (
    !above.some((each) => each instanceof HTMLElement && each.inert) &&
    (modals.length === 0 || modals.some((modal) => above.includes(modal)))
  );
}

function* ancestors(node: Node): Generator<Node> {
  for (let each: Node | null = node; each; each = each instanceof ShadowRoot ? each.host : parentOf(each)) yield each;
}
