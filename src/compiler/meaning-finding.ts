import { labelOf } from './describe/meaning/preferred-button.js';
import type { ControlDescription, FormDescription } from './description.js';
import type { Diagnostic } from './diagnostics.js';
import { isSubmitButton } from './parameters/submit-buttons.js';
import { preview } from './preview.js';
import type { Profile } from './profiles/profile.js';

type MeaningFinding = Pick<Diagnostic, 'code' | 'severity' | 'message'>;

/** The finding for a control that is not a parameter because of its meaning, if it has one. */
export function excluded({ trap, captcha, sensitive, evidence }: ControlDescription): MeaningFinding | false {
  if (evidence === undefined || !(trap ?? captcha ?? sensitive)) return false;
  const [code, subject] = trap
    ? (['excluded-trap', 'a trap for programs'] as const)
    : captcha
      ? (['excluded-captcha', 'the answer of a captcha'] as const)
      : (['excluded-secret', 'a secret'] as const);
  const reason = `The control is not a parameter, because it is ${subject}: ${evidence}.`;
  return { code, severity: 'info', message: `${reason} If agents should fill it in, add a toolparamdescription.` };
}

/** The finding for a form whose first submit button, which browsers with WebMCP press, is not the one that it is for. */
export function secondaryFirst(
  { controls }: FormDescription,
  button: ControlDescription,
  { excludesByMeaning }: Profile,
): MeaningFinding | false {
  const code = 'secondary-first-button';
  const name = textOf(button);
  if (excludesByMeaning) {
    if (button.evidence === undefined) return false;
    const message = `Calls press ${name}, because ${button.evidence}. If they should press another one, name it in data-webmcp-submitter on the form.`;
    return { code, severity: 'info', message };
  }
  const first = controls.find(isSubmitButton);
  const message = `In this profile, calls press the first submit button, ${first ? textOf(first) : ''}, as browsers with WebMCP do, and not ${name}. Put that one first.`;
  return { code, severity: 'warning', message };
}

const textOf = (button: ControlDescription): string =>
  preview(labelOf(button) || button.name || `the ${button.element} without a label`);

export const unknownSubmitter = (text: string): MeaningFinding => ({
  code: 'unknown-submitter',
  severity: 'warning',
  message: `Not exactly one submit button has the name, name=value or label ${preview(text)}, so that data-webmcp-submitter is ignored. Correct it.`,
});
