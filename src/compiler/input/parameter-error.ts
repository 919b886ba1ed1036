import type { JsonSchema } from '../../json-schema.js';
import { truncate } from '../../visible-text.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { controlsOf, type Parameter } from '../parameters/parameters.js';
import { preview } from '../preview.js';
import { anyValue, expectedText } from './expected-text.js';

export type ExecuteErrorCode =
  | 'invalid-input'
  | 'unknown-parameter'
  | 'wrong-type'
  | 'wrong-count'
  | 'not-offered'
  | 'duplicate-value'
  | 'not-kept';

/** The flags of a ValidityState with their error codes. https://html.spec.whatwg.org/#validitystate */
export const constraintCodes = [
  ['valueMissing', 'value-missing'],
  ['typeMismatch', 'type-mismatch'],
  ['patternMismatch', 'pattern-mismatch'],
  ['tooLong', 'too-long'],
  ['tooShort', 'too-short'],
  ['rangeUnderflow', 'range-underflow'],
  ['rangeOverflow', 'range-overflow'],
  ['stepMismatch', 'step-mismatch'],
  ['badInput', 'bad-input'],
  ['customError', 'custom-error'],
] as const;

export type ConstraintCode = (typeof constraintCodes)[number][1];

/** An invalid parameter value, with enough detail for an agent to correct it. */
export interface ParameterError<Code extends string = ExecuteErrorCode> {
  /** The parameter's name, or the empty string for the input as a whole. */
  readonly parameter: string;
  readonly code: Code;
  readonly message: string;
  readonly expected: JsonSchema;
  /** The beginning of the received value as JSON; `redacted` if it could be sensitive. */
  readonly received: string;
}

/** Replaces a received value that could be sensitive. */
export const redacted = '(not shown)';

export const hasSensitive = (controls: readonly ControlDescription[]): boolean =>
  controls.some(({ sensitive }) => sensitive);

const maxPageMessageLength = 300;

/**
 * The message for a parameter whose control violates a constraint, with everything that the control accepts.
 *
 * @param index - the index of the control in the form's `controls`
 * @param pageMessage - the page's own message. Ignored for sensitive controls, because it can contain the value
 */
export function constraintMessage(
  form: FormDescription,
  { name, units }: Parameter,
  index: number,
  code: ConstraintCode,
  pageMessage = '',
): string {
  const unit = units.find(({ controls }) => controls.includes(index)) ?? units[0];
  const { sensitive, type } = controlsOf(form, unit)[0] as ControlDescription;
  const subject = `Parameter ${preview(name)}`;
  const expected = expectedText(form, unit);
  const own = sensitive ? '' : pageMessage.trim().slice(0, maxPageMessageLength);
  if (code === 'custom-error' || type === 'custom') {
    const reason = `${subject} is invalid${own ? `: ${own.replace(/[.\s]+$/, '')}` : ''}.`;
    return type === 'custom' && expected !== anyValue ? `${reason} It must be ${expected}.` : reason;
  }
  return `${subject} ${code === 'value-missing' ? 'is required and ' : ''}must be ${expected}.`;
}

const maxMessages = 20;
const maxMessageLength = 1500;

/** The messages of several errors as one string of bounded length. Most agents read only this string. */
export function joinMessages(messages: readonly string[]): string {
  const texts = messages.slice(0, maxMessages).map((text) => truncate(text, maxMessageLength));
  const omitted = messages.length - maxMessages;
  return [...texts, ...(omitted > 0 ? [`${omitted} more parameters are invalid.`] : [])].join(' ');
}
