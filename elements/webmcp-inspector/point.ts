import { say } from '../strings.js';
import type { InspectorHost } from './host.js';

/** How long a control stays outlined, in milliseconds, and how far around it the line is, in pixels. */
const shown = { milliseconds: 3000, distance: 4 };

// A control can hide the methods of its form behind its name.
const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);
const isVisible = (element: Element): boolean => Element.prototype.getClientRects.call(element).length > 0;
const windowOf = (element: Element): Window | null => {
  const owner = Object.getOwnPropertyDescriptor(Node.prototype, 'ownerDocument')?.get?.call(element) as Document | null;
  return owner?.defaultView ?? null;
};

/** Where an element is in the viewport of this page, frames around it included. */
function placeOf(element: Element): DOMRect {
  const box = boxOf(element);
  const view = windowOf(element);
  const frame = view === window ? null : view?.frameElement;
  if (!frame) return box;
  const outer = placeOf(frame);
  return new DOMRect(outer.x + frame.clientLeft + box.x, outer.y + frame.clientTop + box.y, box.width, box.height);
}

let end: (() => void) | undefined;

/** Scrolls to a control of the page and outlines it for a while, by an overlay: the page itself is left as it is. */
export function pointAt(host: InspectorHost, element: Element | undefined, what: string): void {
  end?.();
  if (!element || !isVisible(element)) return host.announce(say(host.sentences.notPointed, { what }));
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const options: ScrollIntoViewOptions = {
    behavior: isStill ? 'instant' : 'smooth',
    block: 'center',
    inline: 'nearest',
  };
  Element.prototype.scrollIntoView.call(element, options);
  end = outline(host.renderRoot, element);
  host.announce(say(host.sentences.pointed, { what }));
}

const looks =
  'position:fixed;inset:auto;margin:0;padding:0;box-sizing:border-box;pointer-events:none;background:none;' +
  'border:3px solid var(--webmcp-inspector-outline,var(--_accent));border-radius:4px;z-index:2147483647';

/** Follows the element while the page scrolls; the result takes it away. */
function outline(root: HTMLElement | DocumentFragment, element: Element): () => void {
  const line = document.createElement('div');
  line.setAttribute('part', 'outline');
  line.setAttribute('popover', 'manual');
  line.style.cssText = looks;
  root.append(line);
  if (typeof line.showPopover === 'function') line.showPopover();
  const follow = (): void => {
    if (!line.isConnected) return;
    const { x, y, width, height } = placeOf(element);
    const around = shown.distance * 2;
    const place = { left: x - shown.distance, top: y - shown.distance, width: width + around, height: height + around };
    for (const [name, value] of Object.entries(place)) line.style.setProperty(name, `${String(value)}px`);
    requestAnimationFrame(follow);
  };
  follow();
  const timer = setTimeout(() => line.remove(), shown.milliseconds);
  return () => {
    clearTimeout(timer);
    line.remove();
  };
}
