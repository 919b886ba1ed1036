/** The shift of an edge, in CSS pixels, that styles of a pressed button cause. */
export const maxShift = 8;

/** The place of the window on the screen, which only Firefox has: also another origin can move the frame that it is in. */
type PlacedWindow = Partial<Record<'mozInnerScreenX' | 'mozInnerScreenY', number>>;

/** The edges of an element in the outermost window of this origin that the page is in, or on the screen. Only changes of them count. */
export function placeOf(element: Element): readonly number[] {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const { mozInnerScreenX = 0, mozInnerScreenY = 0 } = window as PlacedWindow;
  const frames = frameElements().map((frame) => frame.getBoundingClientRect());
  const x = frames.reduce((sum, each) => sum + each.x, mozInnerScreenX);
  const y = frames.reduce((sum, each) => sum + each.y, mozInnerScreenY);
  return [left + x, top + y, right + x, bottom + y];
}

/** The frames that this page is in, as far as their documents have its origin. */
function frameElements(): readonly Element[] {
  const frames: Element[] = [];
  for (let { frameElement } = window; frameElement; { frameElement } = windowAround(frameElement))
    frames.push(frameElement);
  return frames;
}

const windowAround = ({ ownerDocument }: Element): Window => ownerDocument.defaultView ?? window;

/** Whether the page is in a frame of another origin, which can hide and move it. */
export function isEmbedded(): boolean {
  const outermost = frameElements().at(-1);
  const { parent, self } = outermost ? windowAround(outermost) : window;
  return parent !== self;
}

/** Whether this window has moved on the screen between two events of a pointer, or follows it. */
export function hasFrameMoved(before: PointerEvent, now: PointerEvent): boolean {
  return (
    isShifted(now.clientX - before.clientX, now.screenX - before.screenX) ||
    isShifted(now.clientY - before.clientY, now.screenY - before.screenY)
  );
}

/** A still window is passed on the screen as in the page, or with the zoom of the page, of which the ratio of pixels is the maximum. */
function isShifted(inPage: number, onScreen: number): boolean {
  const [distance, passed] = inPage < 0 ? [-inPage, -onScreen] : [inPage, onScreen];
  return passed < distance * minZoom - maxShift || passed > distance * Math.max(1, devicePixelRatio) + maxShift;
}

const minZoom = 0.25;
