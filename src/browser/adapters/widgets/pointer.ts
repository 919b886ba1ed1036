import { method } from '../../../platform/primordials.js';
import { dispatch } from '../../../platform/signals.js';

const { MouseEvent, PointerEvent } = globalThis; // captured: a page may replace them
const click = method<Element, [], void>('HTMLElement', 'click');
const press = { bubbles: true, composed: true, cancelable: true, detail: 1, buttons: 1 };
const release = { ...press, buttons: 0 };

/** Closes the popups outside of an element, as pressing it does. */
export const pressBeside = (element: Element): boolean => dispatch(element, new MouseEvent('mousedown', press));

/** Dispatches the events of a press with the main button of a mouse. */
export function pressElement(element: Element): void {
  dispatch(element, new PointerEvent('pointerdown', press));
  dispatch(element, new MouseEvent('mousedown', press));
  dispatch(element, new PointerEvent('pointerup', release));
  dispatch(element, new MouseEvent('mouseup', release));
  click(element);
}
