import { isMultiple } from '../../../../src/compiler/html/decimal.js';
import type { ControlDescription } from '../../../../src/compiler/index.js';
import { parseNumber } from '../../../../src/compiler/html/microsyntaxes.js';
import { numberRange } from '../../../../src/compiler/parameters/numbers.js';
import { some, type Exception } from './exception.js';

function isNearStep(control: ControlDescription, value: number): boolean {
  const { step, base } = numberRange(control);
  if (step === 'any' || !Number.isFinite(value) || isMultiple(value, step, base)) return false;
  const steps = (value - base) / step;
  return Math.abs(steps) > 2 ** 53 || Math.abs(steps - Math.round(steps)) < 2 ** -24;
}

/** Deviations of browsers from the standard, and behaviour that a description does not contain. */
export const browserExceptions: readonly Exception[] = [
  {
    reason: 'A readonly attribute bars controls from constraint validation even if they stay mutable.',
    schema: 'rejects',
    explains: ({ element }) => element.hasAttribute('readonly'),
    example: ['<input type=checkbox name=a required readonly>', {}],
  },
  {
    reason: 'Browsers ignore tiny differences from a step.',
    schema: 'rejects',
    explains: ({ control, value }) => typeof value === 'number' && isNearStep(control, value),
    example: ['<input type=number name=a value=60>', { a: 1e-300 }],
  },
  {
    reason: 'Chromium accepts a space in a host.',
    schema: 'rejects',
    engines: ['chromium'],
    explains: ({ control, value }) => control.type === 'url' && some(value, / /),
    example: ['<input type=url name=a>', { a: 'http://a b' }],
  },
  {
    reason: 'Firefox rejects all values of a range whose max is below its min.',
    schema: 'accepts',
    engines: ['firefox'],
    explains: ({ control: { type, attributes } }) =>
      type === 'range' && (parseNumber(attributes.max ?? '') ?? 100) < (parseNumber(attributes.min ?? '') ?? 0),
    example: ['<input type=range name=a max=-1>', {}],
  },
  {
    reason: 'Firefox accepts internationalized e-mail domains.',
    schema: 'rejects',
    engines: ['firefox'],
    explains: ({ control, value }) => control.type === 'email' && some(value, /@.*[^!-~]/),
    example: ['<input type=email name=a>', { a: 'a@é.com' }],
  },
  {
    reason: 'WebKit selects the first option even if it is disabled.',
    schema: 'accepts or rejects',
    engines: ['webkit'],
    explains: ({ control: { options = [] }, value }) => value === undefined && options[0]?.disabled === true,
    example: ['<select name=a required><option disabled>x</select>', {}],
  },
];
