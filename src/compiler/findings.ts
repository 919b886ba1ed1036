import { labelOf } from './describe/meaning/preferred-button.js';
import type { ControlDescription, FormDescription } from './description.js';
import type { Diagnostic } from './diagnostics.js';
import {
  controlSize,
  formSize,
  maxGroups,
  maxLiveSize,
  maxPatternLength,
  maxReading,
  maxSchemaLength,
  maxSize,
  maxTextLength,
  optionSize,
  type LimitReached,
} from './limits.js';
import { isSubmitButton } from './parameters/parameters.js';
import { preview } from './preview.js';
import type { Profile } from './profiles/synthesize.js';

type Finding = Pick<Diagnostic, 'code' | 'severity' | 'message'>;

/**
 * The finding for a control that is recognized as a honeypot, a captcha or a secret although no HTML attribute marks
 * it; false for other controls.
 */
export function excluded({ trap, captcha, sensitive, evidence }: ControlDescription): Finding | false {
  if (evidence === undefined || !(trap ?? captcha ?? sensitive)) return false;
  const [code, role] = trap
    ? (['excluded-trap', 'is a trap for programs'] as const)
    : captcha
      ? (['excluded-captcha', 'takes the answer of a captcha'] as const)
      : (['excluded-secret', 'takes a secret'] as const);
  const reason = `The control is not a parameter, because it ${role}: ${evidence}.`;
  return { code, severity: 'info', message: `${reason} If agents should fill it in, add a toolparamdescription.` };
}

/** The finding for a form whose first submit button is not the preferred one. Browsers with WebMCP press the first one. */
export function secondaryFirst(
  { controls }: FormDescription,
  button: ControlDescription,
  { excludesByMeaning }: Profile,
): Finding | false {
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

export const unknownSubmitter = (text: string): Finding => ({
  code: 'unknown-submitter',
  severity: 'warning',
  message: `${preview(text)} is not the name, name=value or label of exactly one submit button, so data-webmcp-submitter is ignored. Correct it.`,
});

const limited: Readonly<
  Record<Exclude<LimitReached['what'], 'size' | 'groups'>, readonly [subject: string, length: number]>
> = {
  text: ['A label, legend or referenced text', maxTextLength],
  layout: ['The text between the controls', maxReading],
  suggestions: ['A datalist', maxReading],
  pattern: ['A pattern', maxPatternLength],
  schema: ['A toolparamschema', maxSchemaLength],
};

/** The finding for a limit that a form, a control or the page has reached. */
export function limitFinding(limit: LimitReached): Finding {
  const severity = limit.what === 'size' ? 'error' : 'warning';
  return { code: 'limit-exceeded', severity, message: messageOf(limit) };
}

function messageOf({ what, isTotal }: LimitReached): string {
  if (what === 'size') {
    const [subject, forms, size, fewer] = isTotal
      ? (['The forms for agents on the page are', `${maxSize / formSize} forms, `, maxSize, 'fewer or '] as const)
      : (['The form is', '', maxLiveSize, ''] as const);
    return `${subject} too large, so this form is not a tool: the limit is ${forms}${size / controlSize} controls or ${size / optionSize} options, which count together. Use ${fewer}smaller forms.`;
  }
  if (what === 'groups')
    return `The control is in more than ${maxGroups} groups, and only the nearest are read. Use fewer fieldsets and groups.`;
  const [subject, length] = limited[what];
  const all = what === 'text' || what === 'layout' ? 'texts' : 'suggestions and patterns';
  const reason = isTotal
    ? `is ignored here and at later controls of the form, because the ${all} of the page's forms take too much work, such as more than ${maxReading} characters. Use fewer or shorter ones`
    : `has more than ${length} characters and is ignored. Use a shorter one`;
  return `${subject} ${reason}.`;
}
