import { withoutPrototype } from '../../platform/collections.js';
import { listen, unlisten } from '../../platform/signals.js';
import { click, isPrevented, matches, requestSubmit } from './members.js';

const capture = withoutPrototype({ capture: true });

/**
 * Presses the submit button of a form, so that the page's click listeners run before the browser submits the form. A form
 * without a button is submitted as by Enter in a text field, and a disabled button cannot be clicked. Returns whether a
 * listener prevented the click, which does not submit the form then, or stopped it, which it may have done to prevent it.
 */
export function pressSubmit(form: Element, submitter: Element | null): { readonly isPrevented: boolean } {
  if (!submitter || matches(submitter, ':disabled')) {
    requestSubmit(form, submitter);
    return { isPrevented: false };
  }
  let event: Event | undefined;
  const note = (current: Event): void => void (event ??= current);
  listen(submitter, 'click', note, capture);
  click(submitter);
  unlisten(submitter, 'click', note, capture);
  // A click that a listener of the window stops does not reach the button.
  return { isPrevented: !event || isPrevented(event) };
}
