import type { ControlDescription, FormDescription } from '../description.js';
import type { Profile } from '../profiles/synthesize.js';

/** Whether a control is an enabled submit button. */
export const isSubmitButton = (control: ControlDescription): boolean => !control.disabled && isAnySubmitButton(control);

/** Whether a control is a submit button, including a disabled one. */
export const isAnySubmitButton = ({ type }: ControlDescription): boolean => type === 'submit' || type === 'image';

/**
 * The index of the button that submits a form if a call chooses none; -1 if the form has none. Browsers take the first.
 *
 * @param profile - of the tool. Without it, the button that a person takes for the main one
 */
export function defaultButton({ controls }: FormDescription, profile?: Profile): number {
  const preferred =
    profile?.excludesByMeaning === false
      ? -1
      : controls.findIndex((control) => control.preferred && isSubmitButton(control));
  return preferred < 0 ? controls.findIndex(isSubmitButton) : preferred;
}
