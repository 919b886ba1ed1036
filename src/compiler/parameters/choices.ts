import type { ControlDescription, FormDescription, OptionDescription } from '../description.js';
import { groupBy } from '../../group-by.js';
import { collapseWhitespace } from '../html/text.js';
import { annotationText, namingText } from './description-text.js';
import { parseNonNegativeInteger } from './numbers.js';
import { defaultButton, type ControlGroup } from './parameters.js';

/** One value that a unit of radios, checkboxes, options or submit buttons offers. */
export interface Choice {
  readonly value: string;
  readonly title: string;
  readonly description: string;
  /** The indices of its controls, or of its options in the unit's only control. */
  readonly positions: readonly number[];
  readonly selected: boolean;
}

/** The enabled, distinct values that a unit offers, in tree order. */
export function choicesOf(form: FormDescription, unit: ControlGroup): readonly Choice[] {
  switch (unit.kind) {
    case 'checkboxes':
    case 'radios':
      return mergeEqual(unit.controls.map((index) => memberChoice(form, index)));
    case 'select-one':
    case 'select-multiple':
      return mergeEqual(unit.controls.flatMap((index) => optionChoices(form.controls[index])));
    case 'submitter':
      return mergeEqual(submitterChoices(form, unit));
    default:
      return [];
  }
}

function memberChoice(form: FormDescription, index: number): Choice {
  const { attributes, words } = form.controls[index] as ControlDescription;
  return {
    value: attributes.value ?? 'on',
    title: namingText(words),
    description: annotationText(words),
    positions: [index],
    selected: attributes.checked !== undefined,
  };
}

function optionChoices(select: ControlDescription | undefined): readonly Choice[] {
  if (!select) return [];
  const selected = new Set(selectedOptions(select));
  return (select.options ?? []).flatMap((option, position) =>
    option.disabled || isPlaceholder(select, option) ? [] : optionChoice(option, position, selected.has(option)),
  );
}

const optionChoice = (option: OptionDescription, position: number, selected: boolean): Choice => ({
  value: option.value,
  title: [option.group ?? '', option.label ?? option.text].map(collapseWhitespace).filter(Boolean).join(': '),
  description: collapseWhitespace(option.description ?? ''),
  positions: [position],
  selected,
});

/** The initially selected options of a select. https://html.spec.whatwg.org/#ask-for-a-reset */
export function selectedOptions(select: ControlDescription): readonly OptionDescription[] {
  const { options = [], type } = select;
  const selected = options.filter((option) => option.selected);
  if (type === 'select-multiple') return selected;
  if (selected.length > 0) return selected.slice(-1);
  return displaySize(select) === 1 ? options.filter((option) => !option.disabled).slice(0, 1) : [];
}

/** https://html.spec.whatwg.org/#placeholder-label-option */
export const isPlaceholder = (select: ControlDescription, { first, value }: OptionDescription): boolean =>
  select.type === 'select-one' &&
  select.attributes.required !== undefined &&
  displaySize(select) === 1 &&
  first === true &&
  value === '';

/** Whether scripts add the options of a select: no enabled option has a value, or the select declares a search of Select2. */
export const isOpenSelect = (control: ControlDescription | undefined): boolean =>
  control?.type.startsWith('select') === true &&
  (control.attributes['data-ajax--url'] !== undefined ||
    (control.options ?? []).every(({ value, disabled }) => value === '' || disabled));

/** https://html.spec.whatwg.org/#concept-select-size Deviates from the spec: browsers treat 0 as 1. */
const displaySize = ({ attributes }: ControlDescription): number => parseNonNegativeInteger(attributes.size) || 1;

/** Identifies buttons by name if the names are unique, by value if all names are equal, otherwise by both. */
function submitterChoices(form: FormDescription, unit: ControlGroup): readonly Choice[] {
  const names = unit.controls.map((index) => form.controls[index]?.name);
  const distinctNames = new Set(names).size;
  const valueOf = ({ name, attributes: { value = '' } }: ControlDescription): string =>
    distinctNames === 1 ? value : distinctNames === names.length ? name : `${name}=${value}`;
  const selected = defaultButton(form);
  return unit.controls.map((index) => {
    const button = form.controls[index] as ControlDescription;
    return {
      value: valueOf(button),
      title: namingText(button.words) || collapseWhitespace(button.attributes.value ?? ''),
      description: annotationText(button.words),
      positions: [index],
      selected: index === selected,
    };
  });
}

function mergeEqual(choices: readonly Choice[]): readonly Choice[] {
  return [...groupBy(choices, ({ value }) => value).values()].map(([first, ...others]) =>
    others.length === 0
      ? first
      : {
          ...first,
          positions: [first, ...others].flatMap(({ positions }) => positions),
          selected: first.selected || others.some(({ selected }) => selected),
        },
  );
}
