import * as fc from 'fast-check';
import { common, flag, input, join, some, type Markup } from './pieces.js';
import { patterns } from './text-values.js';

const defaults = ['a', 'abc', 'ab12', '123', ' x ', 'é', 'a&b', 'me@example.com', 'https://example.com/', '@'];
const lengths = ['0', '1', '2', '3', '5', '8', '20', '', 'x', '-1', '3.5', '99999999999999999999999'];

const limits = join(some('minlength', lengths, 6), some('maxlength', lengths, 5));

const pattern = (often: number): Markup => some('pattern', Object.keys(patterns), often);

export const textInput: Markup = fc
  .constantFrom('text', 'text', 'search', 'tel', 'email', 'url', 'nosuch')
  .chain((type) =>
    input(type, limits, pattern(4), some('value', defaults, 4), flag('readonly', 30), some('list', ['l'], 15)),
  );

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
