import { notifyReviewers, type PendingForm } from '../pending-forms.js';
import type { ReviewProblem } from '../strings.js';
import { isDelayed, startDelay } from './painted-time.js';
import { isChangeUnread } from './shown-state.js';

interface WatchedButton {
  readonly button: Element;
  readonly observer: IntersectionObserver;
  /** The visibility according to the observer, which also detects overlays that let clicks through. */
  seen: 'visible' | 'covered' | 'outside';
  /** The painted time until which Approve is delayed because it has become visible. Infinity while it is covered. */
  delayEnd: number;
}

const watched = new WeakMap<PendingForm, WatchedButton>();

const references = new WeakMap<PendingForm, (button: Element | undefined) => void>();

/** Watches the Approve button of a form. The same function for each rendering, because another one would start again. */
export function watchApprove(pending: PendingForm): (button: Element | undefined) => void {
  const reference = references.get(pending) ?? ((button) => watchButton(pending, button));
  references.set(pending, reference);
  return reference;
}

/** Watches whether a button is visible, until it is removed. */
function watchButton(pending: PendingForm, button: Element | undefined): void {
  const known = watched.get(pending);
  if (known?.button === button) return;
  known?.observer.disconnect();
  watched.delete(pending);
  if (!button) return;
  const onChange = (entries: readonly IntersectionObserverEntry[]): void => {
    const { isIntersecting, isVisible = isIntersecting } = entries.at(-1) as VisibilityEntry;
    added.seen = isVisible ? 'visible' : isIntersecting ? 'covered' : 'outside';
    notifyReviewers();
  };
  const options: VisibilityInit = { trackVisibility: true, delay: 100 };
  const added: WatchedButton = {
    button,
    observer: new IntersectionObserver(onChange, options),
    seen: 'outside',
    delayEnd: Infinity,
  };
  watched.set(pending, added);
  added.observer.observe(button);
}

/** Version 2 of IntersectionObserver, which only Chromium has. https://w3c.github.io/IntersectionObserver/v2/ */
type VisibilityInit = IntersectionObserverInit & { readonly trackVisibility: boolean; readonly delay: number };
type VisibilityEntry = IntersectionObserverEntry & { readonly isVisible?: boolean };

/**
 * The painted time until which Approve is delayed because it has become visible, or would be if the user scrolled to it:
 * Infinity while something covers it, undefined while it is outside of the window and this is unknown.
 */
function visibleDelayEnd(pending: PendingForm): number | undefined {
  const found = watched.get(pending);
  if (!found) return Infinity;
  const points = pointsOf(found.button);
  const isOutside = !points.some(isInWindow);
  const isHittable = isOutside ? isTopLevel() : points.every((point) => isHit(found.button, point));
  const isSeen = isHittable && (found.seen === 'visible' || (found.seen === 'outside' && isTopLevel()));
  if (!isSeen) found.delayEnd = Infinity;
  else if (found.delayEnd === Infinity) found.delayEnd = startDelay();
  return isOutside && found.delayEnd === Infinity ? undefined : found.delayEnd;
}

/**
 * Only the user scrolls a page that is not in a frame, so the button does not appear suddenly when it is scrolled into the
 * window. An embedding page can move a frame under the pointer.
 */
const isTopLevel = (): boolean => window.parent === window;

type Point = readonly [x: number, y: number];

function pointsOf(button: Element): readonly Point[] {
  const { x, y, width, height } = button.getBoundingClientRect();
  return [0.5, 0.2, 0.8].map((part) => [x + width * part, y + height * part]);
}

const isInWindow = ([x, y]: Point): boolean => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

/** Whether an element receives the clicks at a point. In Firefox, a shadow root knows only its own elements. */
function isHit(element: Element, point: Point): boolean {
  const root = element.getRootNode() as Document | ShadowRoot;
  const found = root.elementFromPoint(...point);
  return found !== null && element.contains(found) && (!('host' in root) || isHit(root.host, point));
}

/**
 * The reason why a press of Approve has no effect, if any. `delayed` has no message. Covering elements only affect
 * pointers: the keyboard and screen readers name the button that they press.
 */
export function refusalOf(pending: PendingForm, event: UIEvent): ReviewProblem | 'delayed' | undefined {
  if (!event.isTrusted) return 'not-pressed';
  const end = visibleDelayEnd(pending);
  const isByPointer = event.detail > 0;
  if (isByPointer && end === Infinity) return 'covered';
  return isChangeUnread(pending) || (isByPointer && end !== undefined && isDelayed(end)) ? 'delayed' : undefined;
}

/** Whether Approve is shown as disabled: it is covered, or the user can hardly have read it. */
export function isApproveDelayed(pending: PendingForm): boolean {
  const end = visibleDelayEnd(pending);
  return isChangeUnread(pending) || (end !== undefined && isDelayed(end));
}
