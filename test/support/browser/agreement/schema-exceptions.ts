import { temporalTypes } from '../../../../src/compiler/html/elements.js';
import { parseTemporal, type TemporalType } from '../../../../src/compiler/html/microsyntaxes.js';
import type { ControlDescription } from '../../../../src/compiler/index.js';
import { isInTemporalRange, temporalLimits } from '../../../../src/compiler/parameters/temporal.js';
import { some, type Exception, type Subject } from './exception.js';

const hasLength = ({ attributes }: ControlDescription): boolean =>
  attributes.minlength !== undefined || attributes.maxlength !== undefined;

/** The number of a date or time; undefined if it is invalid, null if the control has another type or no value. */
function temporalNumber({ control: { type }, value }: Subject): number | undefined | null {
  if (!temporalTypes.has(type) || typeof value !== 'string' || value === '') return null;
  return parseTemporal(type as TemporalType, value);
}

function isOutOfRange(subject: Subject): boolean {
  const number = temporalNumber(subject);
  if (typeof number !== 'number') return false;
  const type = subject.control.type as TemporalType;
  return !isInTemporalRange(type, number, temporalLimits(type, subject.control));
}

/** Constraints that a schema cannot express, or leaves out to stay readable. */
export const schemaExceptions: readonly Exception[] = [
  {
    reason: 'The range and the step of a date or time are stated in the description, so that its pattern stays short.',
    schema: 'accepts',
    isLeftOut: true,
    explains: isOutOfRange,
    example: ['<input type=date name=a min=2026-01-01>', { a: '2025-12-31' }],
  },
  {
    reason: 'The pattern of a date accepts 31 days in each month, 53 weeks in each year and the year 0.',
    schema: 'accepts',
    explains: (subject) => temporalNumber(subject) === undefined,
    example: ['<input type=date name=a>', { a: '2023-02-29' }],
  },
  {
    reason: 'A step that multipleOf or a short list cannot express is stated in the description.',
    schema: 'accepts',
    explains: ({ control, value, description }) =>
      description.includes('In steps of') && (value === undefined ? control.type === 'range' : value !== ''),
    example: ['<input type=number name=a step=0.01>', { a: 0.005 }],
  },
  {
    reason: 'A pattern that is invalid with the flag u is stated in the description.',
    schema: 'accepts',
    explains: ({ description }) => description.includes('Matches the regular expression'),
    example: ['<input name=a pattern="(?i:abc)">', { a: 'abd' }],
  },
  {
    reason: 'The options that a page adds later to an empty select are unknown.',
    schema: 'accepts',
    explains: ({ description }) => description.includes('A script or a search of the page adds'),
    example: ['<select name=a></select>', { a: 'x' }],
  },
  {
    reason: 'A default value is not matched with its pattern: patterns of authors are never executed.',
    schema: 'accepts',
    explains: ({ control: { attributes }, value }) =>
      value === undefined && attributes.pattern !== undefined && !!attributes.value,
    example: ['<input name=a pattern=[a-z]+ value=1>', {}],
  },
  {
    reason: 'The length of several e-mail addresses is the length of the whole list.',
    schema: 'accepts',
    explains: ({ control, value }) => control.type === 'email' && Array.isArray(value) && hasLength(control),
    example: ['<input type=email multiple name=a maxlength=5>', { a: ['a@b', 'c@d'] }],
  },
  {
    reason: 'JSON Schema counts code points, HTML counts UTF-16 code units.',
    schema: 'accepts or rejects',
    explains: ({ control, value }) => hasLength(control) && some(value, /[\u{10000}-\u{10ffff}]/u),
    example: ['<input name=a maxlength=1>', { a: '😀' }],
  },
  {
    reason: 'A textarea converts CR LF to a line feed.',
    schema: 'accepts or rejects',
    explains: ({ control, value }) => control.type === 'textarea' && hasLength(control) && some(value, /\r\n/),
    example: ['<textarea name=a maxlength=1></textarea>', { a: '\r\n' }],
  },
  {
    reason: 'The number of base64 digits is not checked: such a pattern overflows the stack for large files.',
    schema: 'accepts',
    explains: ({ control, value }) => control.type === 'file' && value !== undefined,
    example: ['<input type=file name=a>', { a: { name: 'a', content: 'YQ' } }],
  },
  {
    reason: 'A local date and time may contain a space.',
    schema: 'rejects',
    explains: ({ control, value }) => control.type === 'datetime-local' && some(value, / /),
    example: ['<input type=datetime-local name=a>', { a: '2024-02-29 09:00' }],
  },
  {
    reason: 'A short list of times omits zero seconds.',
    schema: 'rejects',
    explains: ({ control, value }) => /time/.test(control.type) && some(value, /0$/),
    example: ['<input type=time name=a max=00:00>', { a: '00:00:00' }],
  },
  {
    reason: 'The schema accepts years of four digits.',
    schema: 'rejects',
    explains: ({ control, value }) => /^(date|month|week)/.test(control.type) && some(value, /^[0-9]{5}/),
    example: ['<input type=date name=a>', { a: '10000-01-01' }],
  },
  {
    reason:
      'Only a URL parser validates all hosts: escapes, numbers as IPv4 addresses, ports, internationalized domains.',
    schema: 'accepts or rejects',
    explains: ({ control, value }) => control.type === 'url' && some(value, /:.*([%[]|[^ -~]|[.:/][0-9])/),
    example: ['<input type=url name=a>', { a: 'http://256.0.0.1' }],
  },
  {
    reason: 'Ajv rejects a multiple if the quotient has an exponent.',
    schema: 'rejects',
    explains: ({ value }) => typeof value === 'number' && Math.abs(value) >= 1e20,
    example: ['<input type=number name=a step=2>', { a: 1e300 }],
  },
  {
    reason: 'Ajv treats inherited properties as present.',
    schema: 'rejects',
    explains: ({ control, value }) => value === undefined && control.name in {},
    example: ['<input name=constructor>', {}],
  },
];
