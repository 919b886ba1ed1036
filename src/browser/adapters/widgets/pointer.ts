import { dispatch } from '../../../platform/signals.js';
import { click } from '../../dom/members.js';

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
