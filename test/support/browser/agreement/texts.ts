import * as fc from 'fast-check';
import { attribute, common, flag, input, join, several, some, weighted, type Markup } from './pieces.js';
import { patterns, usualPatterns } from './text-values.js';

const defaults = ['a', 'abc', 'ab12', '123', ' x ', 'é', 'a&b', 'me@example.com', 'https://example.com/', '@'];
const lengths = ['0', '1', '2', '3', '5', '8', '20', '', 'x', '-1', '3.5', '99999999999999999999999'];

const limits = join(some('minlength', lengths, 6), some('maxlength', lengths, 5));

/** Two in three are typical; the others are unusual patterns. */
const written = [...Object.keys(patterns), ...several([2, ...usualPatterns])];

const pattern = (often: number): Markup => some('pattern', written, often);

const anyDefault = some('value', defaults, 4);

/** Two in three defaults match the pattern: authors notice mismatches. */
const patternAndDefault: Markup = weighted(
  [3, anyDefault],
  [
    1,
    fc.constantFrom(...written).chain((source) => {
      const matching = attribute('value', patterns[source]?.[0] ?? '');
      const value = weighted([9, fc.constant('')], [2, fc.constant(matching)], [1, some('value', defaults, 1)]);
      return value.map((text) => attribute('pattern', source) + text);
    }),
  ],
);

export const textInput: Markup = fc
  .constantFrom('text', 'text', 'search', 'tel', 'email', 'url', 'nosuch')
  .chain((type) => input(type, limits, patternAndDefault, flag('readonly', 30), some('list', ['l'], 15)));

export const emails: Markup = input(
  'email',
  fc.constant(' multiple'),
  limits,
  pattern(8),
  some('value', ['a@b', 'a@b, c@d', 'x', ',']),
);

export const textarea: Markup = join(
  fc.constant('<textarea'),
  common,
  limits,
  pattern(9),
  fc.constantFrom('>', '>', '>abc', '>\n\na\nb'),
  fc.constant('</textarea>'),
);

export const hidden: Markup = input('hidden', some('value', defaults), some('toolparamdescription', ['Says it.'], 2));

export const color: Markup = input('color', some('value', ['#ff0000', '#FFF', 'red']));
