import type { ControlDescription } from '../../../src/compiler/index.js';
import { some, type Exception } from './exception.js';

const hasLength = ({ attributes }: ControlDescription): boolean =>
  attributes.minlength !== undefined || attributes.maxlength !== undefined;

/** Constraints that a schema cannot express, or leaves out to stay readable. */
export const schemaExceptions: readonly Exception[] = [
  {
    reason: 'A step that no multiple, short list or pattern says exactly is said in words.',
    schema: 'accepts',
    explains: ({ control, value, says }) =>
      says.includes('In steps of') && (value === undefined ? control.type === 'range' : value !== ''),
    example: ['<input type=number name=a step=0.01>', { a: 0.005 }],
  },
  {
    reason: 'A pattern that the flag u cannot say is said in words.',
    schema: 'accepts',
    explains: ({ says }) => says.includes('Matches the regular expression'),
    example: ['<input name=a pattern="(?i:abc)">', { a: 'abd' }],
  },
  {
    reason: 'What a select without options offers once the page has filled it is not known.',
    schema: 'accepts',
    explains: ({ says }) => says.includes('offers no option yet'),
    example: ['<select name=a></select>', { a: 'x' }],
  },
  {
    reason: 'Whether a default value matches its pattern is not known: the pattern of an author is never run.',
    schema: 'accepts',
    explains: ({ control: { attributes }, value }) =>
      value === undefined && attributes.pattern !== undefined && !!attributes.value,
    example: ['<input name=a pattern=[a-z]+ value=1>', {}],
  },
  {
    reason: 'The length of several e-mail addresses is that of their list.',
    schema: 'accepts',
    explains: ({ control, value }) => control.type === 'email' && Array.isArray(value) && hasLength(control),
    example: ['<input type=email multiple name=a maxlength=5>', { a: ['a@b', 'c@d'] }],
  },
  {
    reason: 'JSON Schema counts code points, HTML counts UTF-16 code units.',
    schema: 'accepts or refuses',
    explains: ({ control, value }) => hasLength(control) && some(value, /[\u{10000}-\u{10ffff}]/u),
    example: ['<input name=a maxlength=1>', { a: '😀' }],
  },
  {
    reason: 'A textarea takes CR LF for one line feed.',
    schema: 'accepts or refuses',
    explains: ({ control, value }) => control.type === 'textarea' && hasLength(control) && some(value, /\r\n/),
    example: ['<textarea name=a maxlength=1></textarea>', { a: '\r\n' }],
  },
  {
    reason: 'The digits of base64 are not counted: a pattern that counts overflows the stack on large files.',
    schema: 'accepts',
    explains: ({ control, value }) => control.type === 'file' && value !== undefined,
    example: ['<input type=file name=a>', { a: { name: 'a', content: 'YQ' } }],
  },
  {
    reason: 'A local date and time can be written with a space.',
    schema: 'refuses',
    explains: ({ control, value }) => control.type === 'datetime-local' && some(value, / /),
    example: ['<input type=datetime-local name=a>', { a: '2024-02-29 09:00' }],
  },
  {
    reason: 'One of a few times is listed without seconds that are zero.',
    schema: 'refuses',
    explains: ({ control, value }) => /time/.test(control.type) && some(value, /0$/),
    example: ['<input type=time name=a max=00:00>', { a: '00:00:00' }],
  },
  {
    reason: 'The years go from 1 to 9999.',
    schema: 'refuses',
    explains: ({ control, value }) => /^(date|month|week)/.test(control.type) && some(value, /^[0-9]{5}/),
    example: ['<input type=date name=a>', { a: '10000-01-01' }],
  },
  {
    reason: 'Only a URL parser knows all hosts: escapes, numbers as IPv4 addresses, ports, internationalised domains.',
    schema: 'accepts or refuses',
    explains: ({ control, value }) => control.type === 'url' && some(value, /:.*([%[]|[^ -~]|[.:/][0-9])/),
    example: ['<input type=url name=a>', { a: 'http://256.0.0.1' }],
  },
  {
    reason: 'Ajv takes no multiple whose quotient is written with an exponent.',
    schema: 'refuses',
    explains: ({ value }) => typeof value === 'number' && Math.abs(value) >= 1e20,
    example: ['<input type=number name=a step=2>', { a: 1e300 }],
  },
  {
    reason: 'Ajv takes properties that every object inherits for given ones.',
    schema: 'refuses',
    explains: ({ control, value }) => value === undefined && control.name in {},
    example: ['<input name=constructor>', {}],
  },
];
