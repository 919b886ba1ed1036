import type { ControlDescription, FormDescription } from '../../description.js';
import { unicodePattern } from '../../html/pattern.js';
import { limitsOf, maxPatternLength, rangeWords } from '../../parameters/limits.js';
import { controlsOf, type Parameter } from '../../parameters/parameters.js';

/** The ranges, lengths and patterns of a parameter in words, because some clients remove their keywords from schemas. */
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
