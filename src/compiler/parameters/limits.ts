import type { ControlDescription, FormDescription } from '../description.js';
import { applies } from '../html/elements.js';
import { unicodePattern } from '../html/pattern.js';
import { customSchema } from './custom-schema.js';
import { numberRange, parseNonNegativeInteger } from './numbers.js';
import { controlsOf, type Parameter } from './parameters.js';

/** The limits of a control's value that can be stated in a few words. */
interface ValueLimits {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** As written by the author. */
  readonly pattern?: string | undefined;
}

export function limitsOf(control: ControlDescription): ValueLimits {
  const { type, attributes } = control;
  if (type === 'custom') return customSchema(control) ?? {};
  if (type === 'number' || type === 'range') return numberRange(control);
  if (!applies.length.has(type)) return {};
  return {
    minLength: parseNonNegativeInteger(attributes.minlength),
    maxLength: parseNonNegativeInteger(attributes.maxlength),
    pattern: type === 'textarea' ? undefined : attributes.pattern,
  };
}

/**
 * The length up to which messages and descriptions show a pattern. Longer patterns are hard to read, and the schema
 * contains them.
 */
export const maxPatternLength = 60;

/** `1 to 5`, `at least 1` or `at most 5`; empty without limits. */
export function rangeWords(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return max === undefined ? '' : `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}

/** The ranges, lengths and patterns of a parameter in words, because some clients remove the keywords for these. */
export const limitHints = (form: FormDescription, { units }: Parameter): readonly string[] => [
  ...new Set(units.flatMap((unit) => hintsOf(controlsOf(form, unit)[0] as ControlDescription))),
];

function hintsOf(control: ControlDescription): readonly string[] {
  const { minimum, maximum, minLength, maxLength, pattern = '' } = limitsOf(control);
  const range = rangeWords(minimum, maximum);
  const length = rangeWords(minLength, maxLength);
  const isWritten = pattern.length <= maxPatternLength && unicodePattern(pattern) !== undefined;
  return [
    range && (/^a/.test(range) ? sentence(range) : `From ${range}.`),
    length && sentence(`${length} characters`),
    pattern && isWritten ? `Matches the pattern ${pattern}` : '',
  ].filter(Boolean);
}

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
