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

const limited: Readonly<
  Record<Exclude<LimitReached['what'], 'size' | 'groups'>, readonly [subject: string, length: number]>
> = {
  text: ['A label, legend or referenced text', maxTextLength],
  layout: ['The text between the controls', maxReading],
  suggestions: ['A datalist', maxReading],
  pattern: ['A pattern', maxPatternLength],
  schema: ['A toolparamschema', maxSchemaLength],
};

type LimitFinding = Pick<Diagnostic, 'code' | 'severity' | 'message'>;

/** The finding for a limit that a form, a control or the page has reached. */
export function limitFinding(limit: LimitReached): LimitFinding {
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
