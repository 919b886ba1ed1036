import { attributeOf, elementsOf, isConnected } from '../form-access.js';
import type { PendingForm } from './pending-forms.js';
import type { ReviewProblem } from './strings.js';
import { buttonLabel } from './view/labels.js';

type SubmitButton = HTMLButtonElement | HTMLInputElement;

const isSubmitButton = (button: Element): button is SubmitButton =>
  (button instanceof HTMLButtonElement || button instanceof HTMLInputElement) && /^(?:submit|image)$/.test(button.type);

const canSubmit = (form: HTMLFormElement, button: Element): button is SubmitButton =>
  isSubmitButton(button) && button.form === form && !button.matches(':disabled');

/**
 * The button of the call or, if the page has replaced it, the only similar one. If the call has no button, the first
 * button that can submit.
 */
export function submitterOf({ form, submitter }: PendingForm): SubmitButton | undefined {
  const chosen = submitter();
  if (chosen && canSubmit(form, chosen)) return chosen;
  const buttons = elementsOf(form).filter((each) => canSubmit(form, each));
  if (!chosen) return buttons[0];
  const alike = buttons.filter((each) => signatureOf(each) === signatureOf(chosen));
  return alike.length === 1 ? alike[0] : undefined;
}

const signatureOf = (button: Element): string =>
  ['name', 'value', 'type', 'formaction', 'formmethod', 'formtarget']
    .map((name) => button.getAttribute(name))
    .join('\n') + button.textContent;

export interface SubmitButtonState {
  readonly label: string;
  /** The `formaction` attribute, or the empty string. */
  readonly target: string;
  /** Whether the form has other submit buttons. */
  readonly isOneOfSeveral: boolean;
  readonly key: string;
}

export function submitButtonOf(pending: PendingForm): SubmitButtonState | undefined {
  const button = submitterOf(pending);
  if (!button) return undefined;
  const label = buttonLabel(button);
  return {
    label,
    target: button.getAttribute('formaction') ?? '',
    isOneOfSeveral: elementsOf(pending.form).filter(isSubmitButton).length > 1,
    key: `${label}\n${signatureOf(button)}`,
  };
}

/**
 * Submits a form as a click on its button does. Returns the problem if it was not submitted.
 *
 * @param submitIn - runs the submission
 */
export function approve(pending: PendingForm, submitIn: (submit: () => void) => void): ReviewProblem | undefined {
  const { form } = pending;
  if (!isConnected(form)) return 'form-gone';
  const button = submitterOf(pending);
  if (!button) return 'no-submit-button';
  const isValidated = attributeOf(form, 'novalidate') === null && !button.hasAttribute('formnovalidate');
  if (isValidated && !HTMLFormElement.prototype.reportValidity.call(form)) return 'not-valid';
  submitIn(() => HTMLFormElement.prototype.requestSubmit.call(form, button));
  if (pending.phase !== 'waiting') return undefined;
  return isConnected(form) ? 'not-submitted' : 'form-gone';
}
