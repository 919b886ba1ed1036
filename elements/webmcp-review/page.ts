/** Moves the focus to a control and marks it for a moment, without a trace in its styles; false if it cannot have it. */
export function pointOut(control: HTMLElement): boolean {
  control.focus();
  const { activeElement } = control.getRootNode() as Document | ShadowRoot;
  if (activeElement !== control) return false;
  const outline = { outline: '3px solid Highlight', outlineOffset: '3px' };
  control.animate([outline, outline], { duration: 1500 });
  return true;
}

/** Scrolls the page so that a panel does not lie over an element; false if it still does. */
export function makeRoom(panel: Element, element: Element | null): boolean {
  if (!element || element === document.body || !overlaps(panel, element)) return true;
  element.scrollIntoView({ block: 'start', behavior: 'instant' });
  return !overlaps(panel, element);
}

function overlaps(panel: Element, element: Element): boolean {
  const [a, b] = [panel.getBoundingClientRect(), element.getBoundingClientRect()];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
