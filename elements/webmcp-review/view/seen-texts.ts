import { isInView, pointsOf } from './geometry.js';
import { isDelayed, startDelay } from './painted-time.js';

/** Content that has been in view. */
interface Sight {
  readonly content: string;
  /** The painted time at which it has been in view for the delay. */
  readonly end: number;
}

/** With fewer pixels of the screen in a CSS pixel, as with `zoom` of the page around a frame, text is too small to be read. */
const minPixelRatio = 0.5;

/** Title, labels and values, without the complete values that a button shows. */
const selector = ':is(h2, .rows) :is(bdi, .word, .by):not(details *)';

/**
 * Records which texts of a review have been in view for the delay with their content. The page around a frame can crop it, so
 * a review that is much smaller than the browser window has to be in view also later, but for what is scrolled inside the frame.
 */
export class SeenTexts {
  #sights = new WeakMap<Element, Sight>();

  clear(): void {
    this.#sights = new WeakMap();
  }

  /** Updates the record, and returns whether the user can have read all texts. */
  areRead(review: Element, isVisible: (text: Element) => boolean): boolean {
    if (devicePixelRatio < minPixelRatio) this.clear();
    const isSmall = review.getBoundingClientRect().height * Math.max(1, devicePixelRatio) < outerHeight / 2; // also if zoomed
    const isUnread = (text: Element): boolean => {
      const isSeen = isVisible(text);
      const isCropped = isSmall && !isSeen && pointsOf(text).every((point) => isInView(text, point));
      return !this.#isRead(text, isSeen) || (isCropped && hasArea(text));
    };
    return [...review.querySelectorAll(selector)].filter(isUnread).length === 0;
  }

  #isRead(text: Element, isSeen: boolean): boolean {
    const sight = this.#sights.get(text);
    const content = text.textContent;
    const isSame = sight?.content === content;
    if (isSame && !isDelayed(sight.end)) return true;
    if (!isSeen) this.#sights.delete(text);
    else if (!isSame) this.#sights.set(text, { content, end: startDelay() });
    return !hasArea(text);
  }
}

function hasArea(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}
