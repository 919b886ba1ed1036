import * as fc from 'fast-check';
import { temporal } from './dates.js';
import { number } from './numbers.js';
import { attribute, common, flag, input, join, list, some, weighted, type Markup } from './pieces.js';
import { color, emails, hidden, textarea, textInput } from './texts.js';

const values = ['', 'x', 'y', 'z', 'two words', 'é', '1', 'A "quoted" one'];

const option = join(
  fc.constant('<option'),
  some('value', values, 2),
  flag('selected', 8),
  flag('disabled', 20),
  some('label', ['Label', ''], 8),
  fc.constantFrom('>', '>Text', '> two  words ', '>x', '>y', '>z'),
);

const amongOptions = fc.constantFrom('<optgroup label=G>', '<optgroup disabled>', '</optgroup>');

/** The content of one in thirty selects, as before a script fills it: nothing, or a placeholder. */
const unfilled = fc.constantFrom('', '<option value="">Choose</option>');

const select = join(
  fc.constant('<select'),
  common,
  flag('multiple', 3),
  some('size', ['0', '1', '2', 'x'], 6),
  fc.constant('>'),
  weighted([1, unfilled], [29, join(option, list(weighted([9, option], [1, amongOptions]), 1, 5))]),
  fc.constant('</select>'),
);

const checkable = (type: string): Markup => input(type, some('value', values, 2), flag('checked', 4));

const file = input('file', flag('multiple', 2), some('accept', ['image/png', '.pdf,image/*'], 4));

const button = join(
  fc.constant('<button'),
  some('name', ['go', 'a'], 2),
  some('value', ['x', 'y'], 2),
  fc.constant('>Go</button>'),
);

const sameName = (control: Markup, name: string): Markup =>
  list(
    control.map((html) => html.replace(/ name="[^"]*"/, attribute('name', name))),
    2,
    4,
  );

const groups = fc.oneof(
  sameName(checkable('checkbox'), 'boxes[]'),
  sameName(checkable('radio'), 'choice'),
  sameName(textInput, 'list[]'),
  sameName(fc.oneof(number, temporal, select, checkable('checkbox'), hidden, textarea), 'mix'),
);

const control = weighted(
  [8, textInput],
  [2, textarea],
  [1, emails],
  [6, number],
  [7, temporal],
  [1, color],
  [5, select],
  [2, checkable('checkbox')],
  [1, checkable('radio')],
  [4, groups],
  [1, file],
  [1, fc.oneof(hidden, input('password'), list(button, 1, 3))],
);

const fieldset = fc.constantFrom('', '<fieldset>', '<fieldset disabled><legend>', '<fieldset disabled>');

/** The content of a form. Mostly one control, so that few checks fail for several reasons. */
export const formContent: Markup = weighted([4, control], [1, join(list(control, 1, 2), fieldset, control)]);
