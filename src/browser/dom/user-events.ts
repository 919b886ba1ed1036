import { dispatch } from '../../platform/signals.js';
import { isRendered } from './dom-tree.js';
import { hasFocus, focusedElement, restoreFocus } from './focus.js';
import { click, tabIndex, valueOf } from './members.js';

const composed = { bubbles: true, composed: true };
const cancelable = { ...composed, cancelable: true };

/** The key for text that is not typed key by key, as on virtual keyboards. It cannot match a shortcut of the page. */
const anyKey = { ...cancelable, key: 'Unidentified', keyCode: 229, which: 229 };

/** Whether a user can enter a control: widgets hide the control that they replace. */
export const isReachable = (control: Element): boolean => tabIndex(control) >= 0 && isRendered(control);

/**
 * Dispatches the events of entering a control, unless it has the focus or users cannot reach it. Like autofill, it does
 * not move the focus: the user may be typing elsewhere, and hidden tabs dispatch no focus events. Returns a function that
 * dispatches the events of leaving the control, and restores the focus if a listener has moved it.
 */
export function enter(control: Element): () => void {
  const focused = focusedElement(control);
  const isEntered = !(focused === control && hasFocus(control)) && isReachable(control);
  if (isEntered) dispatchFocus(control, 'focus', 'focusin');
  return () => {
    if (isEntered) dispatchFocus(control, 'blur', 'focusout');
    restoreFocus(control, focused);
  };
}

function dispatchFocus(control: Element, type: string, bubblingType: string): void {
  dispatch(control, new FocusEvent(type, { composed: true }));
  dispatch(control, new FocusEvent(bubblingType, composed));
}

/**
 * Replaces the text of a control between the events of a key. The text is selected, because pages that edit the control
 * themselves insert at the selection. Returns false if the page cancels `beforeinput`.
 */
export function type(control: Element, text: string, write: () => void): boolean {
  const inputType = text === '' ? 'deleteContentBackward' : 'insertReplacementText';
  const edit = { inputType, data: text || null };
  dispatch(control, new KeyboardEvent('keydown', anyKey));
  const before = valueOf(control);
  const deselect = selectText(control as HTMLInputElement);
  const isAllowed = dispatch(control, new InputEvent('beforeinput', { ...cancelable, ...edit }));
  if (isAllowed) {
    write();
    dispatch(control, new InputEvent('input', { ...composed, ...edit }));
  }
  if (valueOf(control) === before) deselect();
  dispatch(control, new KeyboardEvent('keyup', anyKey));
  return isAllowed;
}

/** Selects the text of a control, unless its type has no selection. Returns a function that restores the selection. */
function selectText(control: HTMLInputElement): () => void {
  const { selectionStart: start, selectionEnd: end } = control;
  if (start === null) return () => undefined;
  control.setSelectionRange(0, -1);
  return () => control.setSelectionRange(start, end);
}

/** Dispatches the events of a choice, for example of a date in the browser's picker. */
export function dispatchChoice(control: Element): void {
  dispatch(control, new Event('input', composed));
  dispatchChange(control);
}

export function dispatchChange(control: Element): void {
  dispatch(control, new Event('change', { bubbles: true }));
}

const press = { bubbles: true, composed: true, cancelable: true, detail: 1, buttons: 1 };
const release = { ...press, buttons: 0 };

/** Dispatches `mousedown` at an element, which closes popups that do not contain the element. */
export const pressBeside = (element: Element): boolean => dispatch(element, new MouseEvent('mousedown', press));

/** Dispatches the events of a press with the main button of a mouse. */
export function pressElement(element: Element): void {
  dispatch(element, new PointerEvent('pointerdown', press));
  dispatch(element, new MouseEvent('mousedown', press));
  dispatch(element, new PointerEvent('pointerup', release));
  dispatch(element, new MouseEvent('mouseup', release));
  click(element);
}
