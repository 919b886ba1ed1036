import { truncate } from '../../visible-text.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { controlsOf, type Parameter } from '../parameters/parameters.js';
import { preview } from '../preview.js';
import { anyValue, expectedText } from './expected-text.js';
import type { ConstraintCode } from './parameter-error.js';

const maxPageMessageLength = 300;

/**
 * The message for a parameter whose control violates a constraint, with everything that the control accepts.
 *
 * @param index - the control
 * @param pageMessage - the page's own message; it can contain the value, so those of sensitive controls are omitted
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

/** The messages of several errors as one text of bounded length. Most agents read only this text. */
export function joinMessages(messages: readonly string[]): string {
  const texts = messages.slice(0, maxMessages).map((text) => truncate(text, maxMessageLength));
  const omitted = messages.length - maxMessages;
  return [...texts, ...(omitted > 0 ? [`${omitted} more parameters are invalid.`] : [])].join(' ');
}
