export type Point = readonly [x: number, y: number];

/** Whether a point of an element is in the window, and neither scrolled nor cut off by an element around it. */
export function isInView(element: Element, point: Point): boolean {
  if (!isInWindow(point) || !element.checkVisibility()) return false;
  for (let each: Element | null = element; each && each !== document.body; each = outerElement(each))
    if (getComputedStyle(each).overflow !== 'visible' && !isInside(each, point)) return false;
  return true;
}

function outerElement(element: Element): Element | null {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** Whether a point is inside the borders and scroll bars of an element. */
function isInside(element: Element, [x, y]: Point): boolean {
  const { left, top } = element.getBoundingClientRect();
  const [dx, dy] = [x - left - element.clientLeft, y - top - element.clientTop];
  return dx >= 0 && dy >= 0 && dx < element.clientWidth && dy < element.clientHeight;
}

export function isInWindowPartly(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** The start and the end of an element. An observer reports an element that is partly scrolled out of view as covered. */
export function cornersOf(element: Element): readonly [Point, Point] {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return [
    [left + 1, top + 1],
    [right - 1, bottom - 1],
  ];
}

export function pointsOf(element: Element): readonly Point[] {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [0.5, 0.2, 0.8].map((part) => [x + width * part, y + height * part]);
}

export const isInWindow = ([x, y]: Point): boolean => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

/** Whether an element receives the clicks at a point. In Firefox, a shadow root knows only its own elements. */
export function isHit(element: Element, point: Point): boolean {
  const root = element.getRootNode() as Document | ShadowRoot;
  const found = root.elementFromPoint(...point);
  return found !== null && element.contains(found) && (!('host' in root) || isHit(root.host, point));
}
