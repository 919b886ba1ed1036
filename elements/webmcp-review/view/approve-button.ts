import { notifyReviewers, type PendingForm } from '../pending-forms.js';
import type { ReviewProblem } from '../strings.js';
import { isDelayed, startDelay, watchFrames } from './painted-time.js';
import { isChangeUnread } from './shown-state.js';

/** Why a press has no effect. `delayed` has no message. */
type Refusal = ReviewProblem | 'delayed';

type Point = readonly [x: number, y: number];

/** Version 2 of IntersectionObserver, which only Chromium has. https://w3c.github.io/IntersectionObserver/v2/ */
type VisibilityInit = IntersectionObserverInit & { readonly trackVisibility: boolean; readonly delay: number };
type VisibilityEntry = IntersectionObserverEntry & { readonly isVisible?: boolean };

/** The last position of the pointer on the screen. */
let pointer: Point | undefined;

/** Watches where an Approve button is, whether it and the changes are visible, and how it is pressed. */
class ApproveButton {
  readonly element: Element;
  readonly #pending: PendingForm;
  readonly #controller = new AbortController();
  readonly #observer: IntersectionObserver;
  /** The visibility according to IntersectionObserver, which also detects overlays that let clicks through. */
  readonly #seen = new WeakMap<Element, 'visible' | 'covered' | 'outside'>();
  /** Whether it has to be scrolled into the window. */
  #isOutside = true;
  /** Its edges at the start of the delay. */
  #place: readonly number[] = [];
  /** The painted time at the end of the delay, which starts when it becomes visible or moves. Infinity while it is not visible. */
  #stillEnd = Infinity;
  /** The same for the pointer on it: another site can move the frame under a pointer. */
  #pointerEnd = Infinity;
  /** The position of the pointer at the start of its delay. A press counts only after the pointer has moved from there. */
  #pointerStart: Point | undefined;
  #hasPointerMoved = false;
  /** The press that has begun, and the reason why it has no effect. */
  #press: { readonly refusal: Refusal | undefined } | undefined;
  #isShownDelayed = true;
  /** The number of checks, which rotate through the rows. */
  #checks = 0;
  /** The row that was covered at the last check. */
  #coveredRow: Element | undefined;

  constructor(pending: PendingForm, element: Element) {
    this.#pending = pending;
    this.element = element;
    const { signal } = this.#controller;
    const init: VisibilityInit = { trackVisibility: true, delay: 100 };
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, isVisible = isIntersecting } of entries as VisibilityEntry[])
        this.#seen.set(target, isVisible ? 'visible' : isIntersecting ? 'covered' : 'outside');
      this.#onFrame();
    }, init);
    this.#observer.observe(element);
    signal.addEventListener('abort', () => this.#observer.disconnect());
    signal.addEventListener(
      'abort',
      watchFrames(() => this.#onFrame()),
    );
    const listen = (type: string, steps: (event: PointerEvent) => void, target: EventTarget = element): void =>
      target.addEventListener(type, (event) => event.isTrusted && steps(event as PointerEvent), {
        signal,
        capture: true,
      });
    listen('pointermove', (event) => (pointer = positionOf(event)), window);
    listen('pointermove', (event) => this.#onMove(event));
    listen('pointerleave', ({ pointerType }) => pointerType === 'mouse' && (this.#pointerEnd = Infinity));
    listen('pointerdown', (event) => this.#onPress(event));
    listen('keydown', (event) => isRepeatedEnter(event) && event.preventDefault());
  }

  stop(): void {
    this.#controller.abort();
  }

  /** Whether it is shown as disabled: it is not visible, or the user can hardly have read the changes. */
  get isDelayed(): boolean {
    this.#isShownDelayed = this.#isDelayed();
    return this.#isShownDelayed;
  }

  /** Why a press has no effect, if any. */
  refusalOf(event: UIEvent): Refusal | undefined {
    if (!event.isTrusted) return 'not-pressed';
    this.#update();
    const press = this.#press;
    this.#press = undefined;
    const isByPointer = event.detail > 0;
    const refusal = isByPointer
      ? (press ?? { refusal: this.#pointerRefusal() ?? 'moved' }).refusal
      : this.#keyRefusal();
    return refusal ?? (isChangeUnread(this.#pending) ? 'delayed' : undefined);
  }

  /** The keyboard and screen readers name the button that they press, but another site can hide the frame. */
  #keyRefusal(): Refusal | undefined {
    return isEmbedded() && isDelayed(this.#stillEnd) ? 'frame-hidden' : undefined;
  }

  #pointerRefusal(): Refusal | undefined {
    if (this.#stillEnd === Infinity) return 'covered';
    if (isChangeUnread(this.#pending)) return 'delayed';
    return isDelayed(this.#stillEnd) || (isEmbedded() && isDelayed(this.#pointerEnd)) ? 'moved' : undefined;
  }

  #isDelayed(): boolean {
    if (isChangeUnread(this.#pending)) return true;
    const isOwn = !isEmbedded();
    if (this.#isOutside && isOwn) return false; // users scroll to it
    if (this.#stillEnd === Infinity) return true;
    return isDelayed(this.#stillEnd) && !(isOwn && this.element.matches(':focus-visible'));
  }

  #onFrame(): void {
    this.#update();
    if (this.#isDelayed() !== this.#isShownDelayed) notifyReviewers();
  }

  /** Starts the delay again if the button has moved, or was not visible. */
  #update(): void {
    const points = pointsOf(this.element);
    const seen = this.#seen.get(this.element) ?? 'outside';
    this.#isOutside = seen === 'outside' || !points.every(isInWindow);
    const isVisible =
      seen === 'visible' && points.every((point) => isHit(this.element, point)) && !this.#areRowsCovered();
    const place = placeOf(this.element);
    const hasMoved = place.some((edge, index) => !(Math.abs(edge - (this.#place[index] ?? NaN)) <= maxShift));
    if (isVisible && !hasMoved && this.#stillEnd !== Infinity) return;
    this.#stillEnd = isVisible ? startDelay() : Infinity;
    this.#place = place;
    this.#pointerEnd = Infinity;
    this.#pointerStart = pointer;
    this.#hasPointerMoved = false;
    if (this.#press) this.#press = { refusal: this.#pointerRefusal() ?? 'moved' };
  }

  /**
   * Whether something covers the changes. Those that are scrolled out of view do not count; while there are some above,
   * neither do those in the upper quarter of the window, which the header of a page may cover.
   */
  #areRowsCovered(): boolean {
    const rows = [...(this.element.closest('section')?.querySelectorAll('.rows > li') ?? [])];
    const isScrolled = (): boolean => !isInView(rows[0] as Element, cornerOf(rows[0] as Element));
    const isShown = (element: Element, point: Point): boolean =>
      isInView(element, point) && (point[1] >= innerHeight / 4 || !isScrolled());
    const isCovered = (row: Element): boolean =>
      (this.#seen.get(row) === 'covered' && isShown(row, cornerOf(row))) ||
      [...row.querySelectorAll(shownText)].some((text) =>
        pointsOf(text).some((point) => !isHit(row, point) && isShown(text, point)),
      );
    const shown = rows.filter(isInWindowPartly);
    const start = (this.#checks++ % Math.ceil(shown.length / maxRows)) * maxRows;
    const checked = shown.filter(
      (row, index) => row === this.#coveredRow || (index >= start && index < start + maxRows),
    );
    for (const row of checked) this.#observer.observe(row);
    this.#coveredRow = checked.find(isCovered);
    return this.#coveredRow !== undefined;
  }

  /** Browsers also report moves if only the page has moved. */
  #onMove(event: PointerEvent): void {
    this.#update();
    const [x, y] = positionOf(event);
    const [startX, startY] = this.#pointerStart ?? [];
    this.#hasPointerMoved ||= x !== startX || y !== startY;
    if (this.#pointerEnd === Infinity) this.#pointerEnd = startDelay();
  }

  #onPress({ pointerType }: PointerEvent): void {
    this.#update();
    const isUnmoved = pointerType === 'mouse' && !this.#hasPointerMoved;
    const refusal = this.#pointerRefusal() ?? (isUnmoved ? 'moved' : undefined);
    if (this.#pointerEnd === Infinity) this.#pointerEnd = startDelay(); // the first of two touches
    this.#press = { refusal };
  }
}

/** The shift of an edge, in CSS pixels, that styles of a pressed button cause. */
const maxShift = 8;

/** The number of rows that are checked at a time. The delay has at least 10 frames, so that 200 rows are checked in it. */
const maxRows = 20;

/** The texts of a row. */
const shownText = 'bdi, .word, .by';

/** A key that is held down when the button receives the focus would press it. */
const isRepeatedEnter = ({ repeat, key }: Event & Partial<KeyboardEvent>): boolean =>
  repeat === true && key === 'Enter';

const positionOf = ({ screenX, screenY }: PointerEvent): Point => [screenX, screenY];

/** The edges of an element in the outermost window of this origin that the page is in. */
function placeOf(element: Element): readonly number[] {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const frames = frameElements().map((frame) => frame.getBoundingClientRect());
  const [x, y] = [frames.reduce((sum, each) => sum + each.x, 0), frames.reduce((sum, each) => sum + each.y, 0)];
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
function isEmbedded(): boolean {
  const outermost = frameElements().at(-1);
  const { parent, self } = outermost ? windowAround(outermost) : window;
  return parent !== self;
}

/** Whether a point of an element is in the window, and neither scrolled nor cut off by an element around it. */
function isInView(element: Element, point: Point): boolean {
  if (!isInWindow(point) || !element.checkVisibility()) return false;
  for (let each: Element | null = element; each && each !== document.body; each = outerElement(each))
    if (getComputedStyle(each).overflow !== 'visible' && !isInside(each, point)) return false;
  return true;
}

function outerElement(element: Element): Element | null {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

function isInside(element: Element, [x, y]: Point): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return x >= left && y >= top && x < right && y < bottom;
}

function isInWindowPartly(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function cornerOf(element: Element): Point {
  const { left, top } = element.getBoundingClientRect();
  return [left + 1, top + 1];
}

function pointsOf(element: Element): readonly Point[] {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [0.5, 0.2, 0.8].map((part) => [x + width * part, y + height * part]);
}

const isInWindow = ([x, y]: Point): boolean => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

/** Whether an element receives the clicks at a point. In Firefox, a shadow root knows only its own elements. */
function isHit(element: Element, point: Point): boolean {
  const root = element.getRootNode() as Document | ShadowRoot;
  const found = root.elementFromPoint(...point);
  return found !== null && element.contains(found) && (!('host' in root) || isHit(root.host, point));
}

const buttons = new WeakMap<PendingForm, ApproveButton>();

const references = new WeakMap<PendingForm, (element: Element | undefined) => void>();

/** Watches the Approve button of a form. The same function for each rendering, because another one would start again. */
export function watchApprove(pending: PendingForm): (element: Element | undefined) => void {
  const reference = references.get(pending) ?? ((element) => watchButton(pending, element));
  references.set(pending, reference);
  return reference;
}

function watchButton(pending: PendingForm, element: Element | undefined): void {
  const known = buttons.get(pending);
  if (known?.element === element) return;
  known?.stop();
  buttons.delete(pending);
  if (element) buttons.set(pending, new ApproveButton(pending, element));
}

/** Why a press of Approve has no effect, if any. */
export const refusalOf = (pending: PendingForm, event: UIEvent): Refusal | undefined => {
  const button = buttons.get(pending);
  return button ? button.refusalOf(event) : 'delayed';
};

/** Whether Approve is shown as disabled. */
export const isApproveDelayed = (pending: PendingForm): boolean => buttons.get(pending)?.isDelayed ?? true;
