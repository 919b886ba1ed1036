import { viewOf } from '../../form-access.js';

/** The shift of an edge, in CSS pixels, that styles of a pressed button cause. */
export const maxShift = 8;

/** The edges of an element in the outermost window of this origin that the page is in. Only changes of them count. */
export function placeOf(element: Element): readonly number[] {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const frames = frameElements().map((frame) => frame.getBoundingClientRect());
  const x = frames.reduce((sum, each) => sum + each.x, 0);
  const y = frames.reduce((sum, each) => sum + each.y, 0);
  return [left + x, top + y, right + x, bottom + y];
}

/** The frames that this page is in, as far as their documents have its origin. */
function frameElements(): readonly Element[] {
  const frames: Element[] = [];
  for (let { frameElement } = window; frameElement; { frameElement } = windowAround(frameElement))
    frames.push(frameElement);
  return frames;
}

/** The window of a frame. `<img name=defaultView>` clobbers the property of a document. */
const windowAround = ({ ownerDocument }: Element): Window => viewOf(ownerDocument) ?? window;

/** Whether the page is in a frame of another origin, which can hide, cover and move it. */
export function isEmbedded(): boolean {
  const outermost = frameElements().at(-1);
  return (outermost ? windowAround(outermost) : window) !== window.top;
}
