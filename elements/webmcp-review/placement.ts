import { parentOf } from '../form-access.js';

/** The distance from a form up to its common ancestor with an element, through shadow trees. */
export function distance(form: Node, element: Node): number {
  const above = [...ancestors(element)];
  return [...ancestors(form)].findIndex((node) => above.includes(node));
}

/** Whether the user can see and operate an element: it is not inert, in a closed dialog or behind a modal one. */
export function isUsable(element: HTMLElement): boolean {
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
