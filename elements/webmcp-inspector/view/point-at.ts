import { html, nothing, type TemplateResult } from 'lit';
import { formatMessage } from '../../strings.js';
import type { WebmcpInspector } from '../../webmcp-inspector.js';
import type { Show } from '../source.js';

const outlineTimeoutMs = 3000;
/** The distance between the outline and the control, in pixels. */
const offset = 4;

// A control can clobber these members of its form.
const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);
const isVisible = (element: Element): boolean => Element.prototype.getClientRects.call(element).length > 0;
const windowOf = (element: Element): Window | null => {
  const owner = Object.getOwnPropertyDescriptor(Node.prototype, 'ownerDocument')?.get?.call(element) as Document | null;
  return owner?.defaultView ?? null;
};

/** The box of an element in this page's viewport, even if the element is in a frame. */
function boxInViewport(element: Element): DOMRect {
  const box = boxOf(element);
  const view = windowOf(element);
  const frame = view === window ? null : view?.frameElement;
  if (!frame) return box;
  const outer = boxInViewport(frame);
  return new DOMRect(outer.x + frame.clientLeft + box.x, outer.y + frame.clientTop + box.y, box.width, box.height);
}

let removeOutline: (() => void) | undefined;

/** Scrolls to a control of the page and outlines it briefly. The outline is an overlay, so the page does not change. */
export function pointAt(host: WebmcpInspector, element: Element | undefined, what: string): void {
  removeOutline?.();
  if (!element || !isVisible(element)) return host.announce(formatMessage(host.messages.notPointed, { what }));
  const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const options: ScrollIntoViewOptions = {
    behavior: isMotionReduced ? 'instant' : 'smooth',
    block: 'center',
    inline: 'nearest',
  };
  Element.prototype.scrollIntoView.call(element, options);
  removeOutline = outline(host.renderRoot, element);
  host.announce(formatMessage(host.messages.pointed, { what }));
}

const style =
  'position:fixed;inset:auto;margin:0;padding:0;box-sizing:border-box;pointer-events:none;background:none;' +
  'border:3px solid var(--webmcp-inspector-outline,var(--_accent));border-radius:4px;z-index:2147483647';

/** Outlines an element, also while the page scrolls. Returns a function that removes the outline. */
function outline(root: HTMLElement | DocumentFragment, element: Element): () => void {
  const line = document.createElement('div');
  line.setAttribute('part', 'outline');
  line.setAttribute('popover', 'manual');
  line.style.cssText = style;
  root.append(line);
  line.showPopover();
  const follow = (): void => {
    if (!line.isConnected) return;
    const { x, y, width, height } = boxInViewport(element);
    const box = { left: x - offset, top: y - offset, width: width + 2 * offset, height: height + 2 * offset };
    for (const [name, value] of Object.entries(box)) line.style.setProperty(name, `${String(value)}px`);
    requestAnimationFrame(follow);
  };
  follow();
  const timer = setTimeout(() => line.remove(), outlineTimeoutMs);
  return () => {
    clearTimeout(timer);
    line.remove();
  };
}

/** A button that shows a control on the page. */
export const showButton = (
  { messages }: WebmcpInspector,
  show: Show | undefined,
  what: string,
): TemplateResult | typeof nothing =>
  show
    ? html`<button type="button" class="show" aria-label=${formatMessage(messages.pointAt, { what })} @click=${show}>
        ${messages.point}
      </button>`
    : nothing;
