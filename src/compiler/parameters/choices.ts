import type { ControlDescription, FormDescription, OptionDescription } from '../description.js';
import { parseNonNegativeInteger } from './numbers.js';
import type { Unit } from './parameters.js';
import { collapseWhitespace } from '../html/text.js';
import { annotationText, namingText } from './description-text.js';

/** One value that a unit of radios, checkboxes, options or submit buttons offers. */
export interface Choice {
  readonly value: string;
  /** What a person reads at it, or the empty string. */
  readonly title: string;
  /** Its `toolparamdescription`, or the empty string. */
  readonly description: string;
  /** Which controls, or which options of the unit's only control, stand for it. */
  readonly positions: readonly number[];
  /** Whether the form starts with it. */
  readonly selected: boolean;
}

/** The enabled, distinct values that a unit offers, in tree order. */
export function choicesOf(form: FormDescription, unit: Unit): readonly Choice[] {
  switch (unit.kind) {
    case 'checkboxes':
    case 'radios':
      return distinct(unit.controls.map((index) => memberChoice(form, index)));
    case 'select-one':
    case 'select-multiple':
      return distinct(unit.controls.flatMap((index) => optionChoices(form.controls[index])));
    case 'submitter':
      return submitterChoices(form, unit);
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
  const selected = selectedOptions(select);
  return (select.options ?? []).flatMap((option, position) =>
    option.disabled || isPlaceholder(select, option) ? [] : optionChoice(option, position, selected.includes(option)),
  );
}

const optionChoice = (option: OptionDescription, position: number, selected: boolean): Choice => ({
  value: option.value,
  title: [option.group ?? '', option.label ?? option.text].map(collapseWhitespace).filter(Boolean).join(': '),
  description: collapseWhitespace(option.description ?? ''),
  positions: [position],
  selected,
});

/** The options that a select starts with. https://html.spec.whatwg.org/#ask-for-a-reset */
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

/** https://html.spec.whatwg.org/#concept-select-size Deviates from the spec: browsers take 0 for 1. */
const displaySize = ({ attributes }: ControlDescription): number => parseNonNegativeInteger(attributes.size) || 1;

/** Buttons of one name are told apart by their values; else by their names, or by both. */
function submitterChoices(form: FormDescription, unit: Unit): readonly Choice[] {
  const buttons = unit.controls.map((index) => form.controls[index] as ControlDescription);
  const names = new Set(buttons.map(({ name }) => name));
  const valueOf = ({ name, attributes: { value = '' } }: ControlDescription): string =>
    names.size === 1 ? value : names.size === buttons.length ? name : `${name}=${value}`;
  const [first] = form.controls.flatMap((control, index) => (isSubmitButton(control) ? index : []));
  return distinct(
    buttons.map((button, position) => ({
      value: valueOf(button),
      title: namingText(button.words) || collapseWhitespace(button.attributes.value ?? ''),
      description: annotationText(button.words),
      positions: [unit.controls[position] as number],
      selected: unit.controls[position] === first,
    })),
  );
}

/** An enabled submit button; the first one of a form is its default button. */
export const isSubmitButton = ({ type, disabled }: ControlDescription): boolean =>
  !disabled && (type === 'submit' || type === 'image');

function distinct(choices: readonly Choice[]): readonly Choice[] {
  const byValue = new Map<string, Choice>();
  for (const choice of choices) {
    const same = byValue.get(choice.value);
    byValue.set(choice.value, same ? merge(same, choice) : choice);
  }
  return [...byValue.values()];
}

const merge = (first: Choice, second: Choice): Choice => ({
  ...first,
  positions: [...first.positions, ...second.positions],
  selected: first.selected || second.selected,
});
