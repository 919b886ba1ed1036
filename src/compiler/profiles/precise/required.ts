import type { JsonValue } from '../../../json-schema.js';
import type { ControlDescription, FormDescription } from '../../description.js';
import { groupBy } from '../../../group-by.js';
import { applies, temporalTypes } from '../../html/elements.js';
import { parseTemporal, type TemporalType } from '../../html/microsyntaxes.js';
import { isPlaceholder, selectedOptions } from '../../parameters/choices.js';
import { defaultOf } from '../../parameters/defaults.js';
import { isInRange, numberRange } from '../../parameters/numbers.js';
import { controlsOf, type ControlGroup } from '../../parameters/parameters.js';
import { isInTemporalRange, temporalLimits } from '../../parameters/temporal.js';
import { matchesGrammar } from './value-schemas.js';

export const isRequired = (form: FormDescription, unit: ControlGroup): boolean =>
  groupOf(form, unit).some(({ type, attributes }) => applies.required.has(type) && attributes.required !== undefined);

/** The controls of a unit, with disabled radio buttons: these can be checked, and can make their group required. */
function groupOf(form: FormDescription, unit: ControlGroup): readonly ControlDescription[] {
  const members = controlsOf(form, unit);
  return unit.kind === 'radios' ? (radiosOf(form).get(members[0]?.name) ?? []) : members;
}

type RadioGroups = ReadonlyMap<string | undefined, readonly ControlDescription[]>;
const radioGroups = new WeakMap<FormDescription, RadioGroups>();

/** The radio buttons of a form by name. */
function radiosOf(form: FormDescription): RadioGroups {
  const known = radioGroups.get(form);
  if (known) return known;
  const radios = form.controls.filter(({ type }) => type === 'radio');
  const groups: RadioGroups = groupBy(radios, ({ name }) => name);
  radioGroups.set(form, groups);
  return groups;
}

const isChecked = ({ attributes }: ControlDescription): boolean => attributes.checked !== undefined;

/** Whether the form accepts the initial value of a unit. Never runs an author's pattern. */
export function isOmissible(form: FormDescription, unit: ControlGroup): boolean {
  const [control] = controlsOf(form, unit) as [ControlDescription];
  const isOptional = !isRequired(form, unit);
  switch (unit.kind) {
    case 'radios':
      return isOptional || groupOf(form, unit).some(isChecked);
    case 'boolean':
    case 'checkboxes':
      return controlsOf(form, unit).every((each) => each.attributes.required === undefined || isChecked(each));
    case 'select-one':
    case 'select-multiple':
      return isOptional || selectedOptions(control).some((option) => !isPlaceholder(control, option));
    default: {
      if (control.prefilled) return true;
      const value = defaultOf(form, unit);
      return value === undefined ? isOptional : isLegal(control, value);
    }
  }
}

function isLegal(control: ControlDescription, value: JsonValue): boolean {
  const { type } = control;
  if (typeof value === 'number') return isInRange(value, numberRange(control));
  if (!temporalTypes.has(type)) return [value].flat().every((text) => matchesGrammar(type, text as string));
  const temporalType = type as TemporalType;
  const number = parseTemporal(temporalType, value as string) as number;
  return isInTemporalRange(temporalType, number, temporalLimits(temporalType, control));
}
