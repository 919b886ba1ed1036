import { stringify } from '../../json.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { valuelessTypes } from '../html/elements.js';
import type { Profile } from '../profiles/synthesize.js';

/** Determines how a value is assigned to the controls of a unit. */
export type ControlGroupKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'checkboxes'
  | 'radios'
  | 'select-one'
  | 'select-multiple'
  | 'file'
  | 'custom'
  | 'submitter';

/** Controls that share one value. */
export interface ControlGroup {
  readonly kind: ControlGroupKind;
  /** Indices into the form's `controls`, in tree order. */
  readonly controls: readonly number[];
}

/** A member of a tool's input. With several units, its value is a list with one value per unit. */
export interface Parameter {
  /** The name in the tool's input. */
  readonly name: string;
  /** The name in the submission, if it differs. */
  readonly sentAs?: string;
  readonly units: readonly [ControlGroup, ...ControlGroup[]];
}

export interface IndexedControl {
  readonly control: ControlDescription;
  readonly index: number;
}

export const indexControls = (form: FormDescription): readonly IndexedControl[] =>
  form.controls.map((control, index) => ({ control, index }));

export const isMutable = ({ disabled, readonly }: ControlDescription): boolean => !disabled && !readonly;

/** Whether a person enters or chooses the value of a control. */
export const takesValue = ({ type }: ControlDescription): boolean => type !== 'hidden' && !valuelessTypes.has(type);

export const mutableControls = (form: FormDescription): readonly IndexedControl[] =>
  indexControls(form).filter(({ control }) => isMutable(control));

export function unitOf(members: readonly [IndexedControl, ...IndexedControl[]]): ControlGroup {
  const [{ control }] = members;
  return { kind: unitKind(control, members.length), controls: members.map(({ index }) => index) };
}

function unitKind({ type }: ControlDescription, members: number): ControlGroupKind {
  switch (type) {
    case 'number':
    case 'range':
      return 'number';
    case 'checkbox':
      return members > 1 ? 'checkboxes' : 'boolean';
    case 'radio':
      return 'radios';
    case 'select-one':
    case 'select-multiple':
    case 'file':
    case 'custom':
      return type;
    default:
      return 'text';
  }
}

export const controlsOf = (form: FormDescription, unit: ControlGroup): readonly ControlDescription[] =>
  unit.controls.map((index) => form.controls[index]).filter((control) => control !== undefined);

export const parametersByControl = <Member extends Parameter>(
  parameters: readonly Member[],
): ReadonlyMap<number, Member> => {
  const byControl = new Map<number, Member>();
  for (const parameter of parameters)
    for (const { controls } of parameter.units) for (const index of controls) byControl.set(index, parameter);
  return byControl;
};

/** The parameter for the choice between several named, enabled submit buttons. */
export function submitterParameter(form: FormDescription, taken: ReadonlySet<string>): readonly Parameter[] {
  const named = indexControls(form).filter(
    ({ control: { type, name, disabled } }) => type === 'submit' && name !== '' && !disabled,
  );
  const entries = new Set(named.map(({ control: { name, attributes } }) => stringify([name, attributes.value ?? ''])));
  if (entries.size < 2) return [];
  const names = new Set(named.map(({ control }) => control.name));
  const [shared = ''] = names;
  let name = names.size === 1 && !taken.has(shared) ? shared : 'submitter';
  for (let count = 2; taken.has(name); count++) name = `submitter_${count}`;
  return [{ name, units: [{ kind: 'submitter', controls: named.map(({ index }) => index) }] }];
}

/** Whether a control is an enabled submit button. */
export const isSubmitButton = (control: ControlDescription): boolean => !control.disabled && isAnySubmitButton(control);

/** Whether a control is a submit button, including a disabled one. */
export const isAnySubmitButton = ({ type }: ControlDescription): boolean => type === 'submit' || type === 'image';

/**
 * The index of the button that submits a form unless a call selects another one: the preferred button, else the first
 * enabled submit button, else -1.
 *
 * @param profile - the profile of the tool. The profile chromium ignores the preferred button, as browsers do
 */
export function defaultButton({ controls }: FormDescription, profile?: Profile): number {
  const preferred =
    profile?.excludesByMeaning === false
      ? -1
      : controls.findIndex((control) => control.preferred && isSubmitButton(control));
  return preferred < 0 ? controls.findIndex(isSubmitButton) : preferred;
}
