import { dispatch } from '../../../platform/signals.js';
import { setState } from '../../dom/control-state.js';
import { documentOf, isRendered } from '../../dom/dom-tree.js';
import { focus, focusedElement, restoreFocus } from '../../dom/focus.js';
import { execCommand, innerHtml, innerText, isPrevented, selectionOf } from '../../dom/members.js';
import { findBeside } from './beside.js';
import { hasSameText, inertHtml, inertValue, isMarkup } from './content.js';
import type { FindEditor } from './editor.js';

/**
 * Finds the element with `contenteditable` beside a textarea without a box, or beside a hidden input with a description.
 * Sets its content by selecting everything and pasting, so that most editors run their own sanitizer.
 */
export const editable: FindEditor = (control) => {
  const element = findBeside(control);
  if (!element || !isRendered(element)) return undefined;
  return {
    format: 'unknown',
    get value() {
      return innerText(element).replace(/\n$/, ''); // the newline of the last block or line break
    },
    get html() {
      return innerHtml(element);
    },
    setValue(value, html) {
      const before = innerHtml(element);
      // Some editors update when their control changes, and may parse its value as HTML.
      setState(control, { kind: 'value', value: inertValue(value) });
      const hasListened = innerHtml(element) !== before && hasSameText(innerText(element), value);
      if (!hasListened) replaceContent(element, value, html);
    },
  };
};

function replaceContent(element: Element, value: string, html = isMarkup(value) ? value : undefined): void {
  const focused = focusedElement(element);
  focus(element);
  selectAll(element);
  // Editors handle `cut`, but not the other ways to delete everything.
  if (!dispatchClipboard(element, value ? 'paste' : 'cut', value, html)) {
    execCommand(documentOf(element), value ? 'insertText' : 'delete', false, value);
  }
  restoreFocus(element, focused);
}

function selectAll(element: Element): void {
  const document = documentOf(element);
  const selection = selectionOf(document);
  selection?.selectAllChildren(element);
  dispatch(document, new Event('selectionchange')); // the browser's own event comes in a later task
}

/** Returns whether the editor has handled the event. */
function dispatchClipboard(element: Element, type: string, text: string, html: string | undefined): boolean {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  if (html) data.setData('text/html', inertHtml(html));
  const event = new ClipboardEvent(type, { bubbles: true, cancelable: true, composed: true });
  // Firefox ignores the member `clipboardData` of the constructor's argument.
  Object.defineProperty(event, 'clipboardData', { value: data });
  dispatch(element, event);
  return isPrevented(event);
}
