import { method } from '../../platform/primordials.js';

const matches = method<Element, [string], boolean>('Element', 'matches');
const click = method<Element, [], void>('HTMLElement', 'click');
const requestSubmit = method<Element, [Element | null], void>('HTMLFormElement', 'requestSubmit');

/**
 * Presses the submit button of a form, so that the page's click listeners run before the browser submits the form. A form
 * without a button is submitted as by Enter in a text field, and a disabled button cannot be clicked.
 */
export function pressSubmit(form: Element, submitter: Element | null): void {
  if (submitter && !matches(submitter, ':disabled')) click(submitter);
  else requestSubmit(form, submitter);
}
