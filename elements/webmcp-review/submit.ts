import { attributeOf, call, elementsIn, isOnPage } from './form.js';
import { buttonName } from './labels.js';
import type { ReviewProblem } from './strings.js';
import type { Wait } from './waits.js';

/** The button that a form that waits can be submitted with now. */
export const submitterOf = ({ form, submitter }: Wait): SubmitButton | undefined => submitterFor(form, submitter());

/** Submits as a press of the button does; tells what keeps the form from that. */
export function approve(wait: Wait, around: (submit: () => void) => void): ReviewProblem | undefined {
  const { form } = wait;
  if (!isOnPage(form)) return 'form-gone';
  const submitter = submitterOf(wait);
  if (!submitter) return 'no-submit-button';
  if (isChecked(form, submitter) && !reportValidity(form)) return 'not-valid';
  around(() => requestSubmit(form, submitter));
  if (wait.phase !== 'waiting') return undefined;
  return isOnPage(form) ? 'not-submitted' : 'form-gone';
}

const requestSubmit = (form: HTMLFormElement, submitter: Element): void =>
  void call(HTMLFormElement.prototype, 'requestSubmit', form, submitter);

const reportValidity = (form: HTMLFormElement): boolean =>
  call(HTMLFormElement.prototype, 'reportValidity', form) as boolean;

const buttons = /^(?:submit|image)$/;

type SubmitButton = HTMLButtonElement | HTMLInputElement;

const isSubmitButton = (button: Element): button is SubmitButton =>
  (button instanceof HTMLButtonElement || button instanceof HTMLInputElement) && buttons.test(button.type);

/** A submit button that can be pressed. */
const canSubmit = (form: HTMLFormElement, button: Element): button is SubmitButton =>
  isSubmitButton(button) && button.form === form && !button.matches(':disabled');

/** The button that Approve presses. */
export interface Pressed {
  readonly control: HTMLElement;
  readonly label: string;
  /** Where it sends the form to; empty if that is where the form goes. */
  readonly target: string;
  /** Whether the form has others. */
  readonly isOneOfSeveral: boolean;
  readonly key: string;
}

export function pressedOf(wait: Wait): Pressed | undefined {
  const control = submitterOf(wait);
  if (!control) return undefined;
  const label = buttonName(control);
  const target = control.getAttribute('formaction') ?? '';
  const isOneOfSeveral = elementsIn(wait.form).filter(isSubmitButton).length > 1;
  return { control, label, target, isOneOfSeveral, key: `${label}\n${likeness(control)}` };
}

/** The button that a form is submitted with: the one that was chosen or, if the page has replaced it, one like it. */
function submitterFor(form: HTMLFormElement, chosen: Element | null): SubmitButton | undefined {
  if (chosen && canSubmit(form, chosen)) return chosen;
  const all = elementsIn(form).filter((each) => canSubmit(form, each));
  if (!chosen) return all[0];
  const alike = all.filter((each) => likeness(each) === likeness(chosen));
  return alike.length === 1 ? alike[0] : undefined;
}

const likeness = (button: Element): string =>
  ['name', 'value', 'type', 'formaction', 'formmethod', 'formtarget']
    .map((name) => button.getAttribute(name))
    .join('\n') + button.textContent;

/** Whether the browser checks the form's constraints when the button is pressed. */
const isChecked = (form: HTMLFormElement, submitter: Element): boolean =>
  attributeOf(form, 'novalidate') === null && !submitter.hasAttribute('formnovalidate');
