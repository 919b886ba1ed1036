import { viewOf } from '../../form-access.js';
import type { PendingForm } from '../pending-forms.js';
import { submitButtonOf, type SubmitButtonState } from '../submit.js';
import { rowsOf, type Row } from './rows.js';

/** The delay of Approve after it has become visible or moved, and after a change that is not by the user. */
export const approveDelay = { ms: 500 };

/** The maximum time that counts for one frame: a busy page may not have painted the rest. */
const maxFrameMs = 50;

/** The total duration of the painted frames. It increases only while frames are watched. */
let paintedMs = 0;
let lastFrame: number | undefined;
const watchers = new Set<() => void>();

/** Runs steps in each frame that the browser paints. Returns a function that ends this. */
export function watchFrames(steps: () => void): () => void {
  watchers.add(steps);
  if (watchers.size === 1) requestAnimationFrame(onFrame);
  return () => watchers.delete(steps);
}

function onFrame(time: number): void {
  paintedMs += Math.min(time - (lastFrame ?? time), maxFrameMs);
  lastFrame = watchers.size > 0 ? time : undefined;
  if (watchers.size > 0) requestAnimationFrame(onFrame);
  for (const steps of watchers) steps();
}

/** Starts a delay, and returns the painted time at its end. */
export const startDelay = (): number => paintedMs + approveDelay.ms;

/** @param end - the painted time at the end of the delay. Infinity if it has not started. */
export const isDelayed = (end: number): boolean => paintedMs < end;

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

/** The top left and bottom right corners. An observer reports an element that is partly scrolled out of view as covered. */
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

/**
 * Whether an element receives the clicks at a point. In Firefox, `elementFromPoint` of a shadow root finds only its own
 * elements.
 */
export function isHit(element: Element, point: Point): boolean {
  const root = element.getRootNode() as Document | ShadowRoot;
  const found = root.elementFromPoint(...point);
  return found !== null && element.contains(found) && (!('host' in root) || isHit(root.host, point));
}

/** The maximum shift of an edge by the styles of a pressed button, in CSS pixels. */
export const maxShift = 8;

/** The edges of an element in the outermost window of this origin around the page, to be compared later. */
export function placeOf(element: Element): readonly number[] {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const frames = frameElements().map((frame) => frame.getBoundingClientRect());
  const x = frames.reduce((sum, each) => sum + each.x, 0);
  const y = frames.reduce((sum, each) => sum + each.y, 0);
  return [left + x, top + y, right + x, bottom + y];
}

/** The frame elements around this page, from the inside out, up to the first document of another origin. */
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

/** The state of a form that the review shows. */
interface ShownState {
  readonly rows: readonly Row[];
  readonly button: SubmitButtonState | undefined;
}

interface Shown {
  readonly keys: ReadonlySet<string>;
  readonly fillCount: number;
  /** The painted time until which Approve is delayed because of the last change that was not by the user. */
  readonly delayEnd: number;
}

const lastShown = new WeakMap<PendingForm, Shown>();

const stateOf = (pending: PendingForm): ShownState => ({ rows: rowsOf(pending), button: submitButtonOf(pending) });

const keysOf = ({ rows, button }: ShownState): ReadonlySet<string> =>
  new Set([...rows, ...(button ? [button] : [])].map(({ key }) => key));

/** Records the current state as shown, and returns it. */
export function showState(pending: PendingForm): ShownState {
  const state = stateOf(pending);
  const { rows, button } = state;
  const last = lastShown.get(pending);
  const isNew = ({ key }: Pick<Row, 'key'>): boolean => !last?.keys.has(key);
  const isChanged =
    last?.fillCount !== pending.fillCount ||
    rows.some((row) => row.changedBy !== 'user' && isNew(row)) ||
    (button && isNew(button));
  lastShown.set(pending, {
    keys: keysOf(state),
    fillCount: pending.fillCount,
    delayEnd: isChanged ? startDelay() : last.delayEnd,
  });
  return state;
}

/** Whether the last change is too recent for the user to have read it. */
export const isChangeUnread = (pending: PendingForm): boolean =>
  isDelayed(lastShown.get(pending)?.delayEnd ?? Infinity);

/** Whether the form would send a state other than the shown state. */
export function isChangedSinceShown(pending: PendingForm): boolean {
  const [shown, now] = [lastShown.get(pending)?.keys, keysOf(stateOf(pending))];
  return !shown || shown.size !== now.size || [...now].some((key) => !shown.has(key));
}
