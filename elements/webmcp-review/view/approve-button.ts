import { documentElementOf } from '../../form-access.js';
import { notifyReviewers, type PendingForm } from '../pending-forms.js';
import type { ReviewProblem } from '../strings.js';
import { submitterOf } from '../submit.js';
import {
  cornersOf,
  isChangedSinceShown,
  isChangeUnread,
  isDelayed,
  isHit,
  isInView,
  isInWindow,
  isInWindowPartly,
  maxShift,
  placeOf,
  pointsOf,
  startDelay,
  watchFrames,
  type Point,
} from './visibility.js';

/** The reason why a press has no effect. `delayed` has no message. */
type Refusal = ReviewProblem | 'delayed';

/** Version 2 of IntersectionObserver, which only Chromium has. https://w3c.github.io/IntersectionObserver/v2/ */
type VisibilityInit = IntersectionObserverInit & { readonly trackVisibility: boolean; readonly delay: number };
type VisibilityEntry = IntersectionObserverEntry & { readonly isVisible?: boolean };

type Visibility = 'visible' | 'covered' | 'outside';

/** Watches where an Approve button is, whether it and the changes are visible, and how it is pressed. */
class ApproveButton {
  readonly element: Element;
  readonly #pending: PendingForm;
  readonly #controller = new AbortController();
  readonly #observer: IntersectionObserver;
  /** The visibility according to IntersectionObserver, which also detects overlays that let clicks through. */
  readonly #seen = new WeakMap<Element, Visibility>();
  /** Whether the button has to be scrolled into the window. */
  #isOutside = true;
  /** The edges of the button at the start of the delay. */
  #place: readonly number[] = [];
  /**
   * The painted time at the end of the delay, which starts when the button becomes visible or moves. Infinity while the
   * button is not visible.
   */
  #stillEnd = Infinity;
  /** The last event of the pointer in the window. Undefined while the pointer is outside of the window. */
  #pointer: PointerEvent | undefined;
  /** The position of the pointer at the start of the delay. A press counts only after the pointer has moved from there. */
  #pointerStart: PointerEvent | undefined;
  #hasPointerMoved = false;
  /**
   * The painted time at the end of the delay after the pointer enters the button: another site can open a window over
   * this window, and close it under the pointer. 0 for a touch, and if the pointer entered the button from elsewhere in
   * this window. Infinity until the pointer enters the button.
   */
  #pointerEnd = Infinity;
  /** The press that has begun, and the reason why it has no effect. */
  #press: { readonly refusal: Refusal | undefined } | undefined;
  #isShownDelayed = true;
  /** The number of checks so far. Each check reads the next `maxRows` rows. */
  #checks = 0;
  /** The row that was covered at the last check. */
  #coveredRow: Element | undefined;

  constructor(pending: PendingForm, element: Element) {
    this.#pending = pending;
    this.element = element;
    const { signal } = this.#controller;
    const init: VisibilityInit = { trackVisibility: true, delay: 100 };
    this.#observer = new IntersectionObserver((entries) => {
      for (const entry of entries as VisibilityEntry[]) this.#seen.set(entry.target, visibilityOf(entry));
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
    const listenToLeave = (target: Element, steps: (event: PointerEvent) => void): void =>
      listen('pointerleave', (event) => event.target === target && steps(event), target);
    listen('pointermove', (event) => this.#onMove(event), window);
    listenToLeave(this.element, ({ pointerType }) => pointerType === 'mouse' && (this.#pointerEnd = Infinity));
    listenToLeave(documentElementOf(document), () => (this.#pointer = undefined));
    listen('visibilitychange', () => this.#onFrame(), document);
    listen('pointerdown', (event) => this.#onPress(event));
    listen('keydown', (event) => isRepeatedEnter(event) && event.preventDefault());
  }

  stop(): void {
    this.#controller.abort();
  }

  /** Whether the button is shown as disabled: it is covered, it has just appeared or moved, or the last change is too recent. */
  get isDelayed(): boolean {
    this.#isShownDelayed = this.#isDelayed();
    return this.#isShownDelayed;
  }

  /** The reason why a press has no effect; undefined if it has an effect. */
  refusalOf(event: UIEvent): Refusal | undefined {
    if (!event.isTrusted) return 'not-pressed';
    this.#update();
    const press = this.#press;
    this.#press = undefined;
    const isByPointer = event.detail > 0;
    // Only a pointer depends on the place of the button: the keyboard and screen readers name the button that they
    // press.
    const refusal = isByPointer ? (press ?? { refusal: this.#pointerRefusal() ?? 'moved' }).refusal : undefined;
    return refusal ?? (isChangeUnread(this.#pending) ? 'delayed' : undefined);
  }

  #pointerRefusal(): Refusal | undefined {
    if (this.#stillEnd === Infinity) return 'covered';
    if (isChangeUnread(this.#pending)) return 'delayed';
    return isDelayed(this.#stillEnd) || isDelayed(this.#pointerEnd) ? 'moved' : undefined;
  }

  #isDelayed(): boolean {
    if (isChangeUnread(this.#pending)) return true;
    if (this.#isOutside) return false; // users have to scroll to the button first
    if (this.#stillEnd === Infinity) return true;
    return isDelayed(this.#stillEnd) && !this.element.matches(':focus-visible');
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
      seen === 'visible' &&
      !document.hidden &&
      points.every((point) => isHit(this.element, point)) &&
      !this.#areRowsCovered();
    const place = placeOf(this.element);
    const hasMoved = place.some((edge, index) => !(Math.abs(edge - (this.#place[index] ?? NaN)) <= maxShift));
    if (isVisible && !hasMoved && this.#stillEnd !== Infinity) return;
    this.#stillEnd = isVisible ? startDelay() : Infinity;
    this.#place = place;
    this.#pointerEnd = Infinity;
    this.#pointerStart = this.#pointer;
    this.#hasPointerMoved = false;
    if (this.#press) this.#press = { refusal: this.#pointerRefusal() ?? 'moved' };
  }

  /**
   * Whether something covers the changes. Changes that are scrolled out of view do not count. While the start of their
   * list is scrolled out of view, changes in the upper quarter of the window do not count either, because the header of the
   * page may cover them.
   */
  #areRowsCovered(): boolean {
    // The items of the list are not checked: at fractions of a pixel, Chromium reports an element as covered by an adjacent
    // one.
    const section = this.element.closest('section') as Element;
    const rows = [...section.querySelectorAll('.rows > li > *')];
    const isScrolled = (): boolean => !isInView(section, cornersOf(section.querySelector('.rows') as Element)[0]);
    const isShown = (element: Element, point: Point): boolean =>
      isInView(element, point) && (point[1] >= innerHeight / 4 || !isScrolled());
    const isCovered = (row: Element): boolean =>
      (this.#seen.get(row) === 'covered' && cornersOf(row).every((corner) => isShown(row, corner))) ||
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

  /** Browsers also report a move of the pointer if only the page has moved. */
  #onMove(event: PointerEvent): void {
    const isNew = this.#pointer === undefined;
    this.#pointer = event;
    this.#pointerStart ??= event;
    this.#hasPointerMoved ||= isElsewhere(event, this.#pointerStart);
    if (!event.composedPath().includes(this.element)) return;
    this.#update();
    if (this.#pointerEnd === Infinity) this.#pointerEnd = isNew ? startDelay() : 0;
  }

  /** The second finger on a touch screen is not the primary pointer, and does not press. */
  #onPress(event: PointerEvent): void {
    this.#update();
    const isTouch = event.pointerType !== 'mouse';
    if (isTouch) this.#pointerEnd = 0;
    else if (this.#pointerEnd === Infinity) this.#pointerEnd = startDelay();
    const isMoved = isTouch ? event.isPrimary : this.#hasPointerMoved;
    this.#press = { refusal: this.#pointerRefusal() ?? (isMoved ? undefined : 'moved') };
  }
}

function visibilityOf({ isIntersecting, isVisible = isIntersecting }: VisibilityEntry): Visibility {
  return isVisible ? 'visible' : isIntersecting ? 'covered' : 'outside';
}

/** The maximum number of rows in one check. The delay has at least 10 frames, so that 200 rows are checked in it. */
const maxRows = 20;

/** Selects the strings of a row. */
const shownText = 'bdi, .word, .by';

/** Whether an Enter key is held down. It would press the button that receives the focus. */
const isRepeatedEnter = ({ repeat, key }: Event & Partial<KeyboardEvent>): boolean =>
  repeat === true && key === 'Enter';

const isElsewhere = (one: PointerEvent, other: PointerEvent): boolean =>
  one.screenX !== other.screenX || one.screenY !== other.screenY;

const buttons = new WeakMap<PendingForm, ApproveButton>();

const references = new WeakMap<PendingForm, (element: Element | undefined) => void>();

/**
 * Returns the function that watches the Approve button of a form. It is the same function for each rendering, because a new
 * one would restart the delay.
 */
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

/** The reason why a press of Approve has no effect; undefined if it has an effect. */
export const refusalOf = (pending: PendingForm, event: UIEvent): Refusal | undefined => {
  const button = buttons.get(pending);
  const refusal = button ? button.refusalOf(event) : 'delayed';
  return refusal ?? (submitterOf(pending) && isChangedSinceShown(pending) ? 'changed' : undefined);
};

/** Whether Approve is shown as disabled. */
export const isApproveDelayed = (pending: PendingForm): boolean => buttons.get(pending)?.isDelayed ?? true;
