import type { ControlDescription, FormDescription } from '../description.js';

/** How one or several controls of a name take a value together. */
export type UnitKind =
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

/** Controls that take one value together. */
export interface Unit {
  readonly kind: UnitKind;
  /** Indices into the form's `controls`, in tree order. */
  readonly controls: readonly number[];
}

/** What the agent gives by one name: the value of a unit, or a list with one value for each of several units. */
export interface Parameter {
  /** The name on the agent's side. */
  readonly name: string;
  /** The name on the page's side, where it is another one. */
  readonly sentAs?: string;
  readonly units: readonly [Unit, ...Unit[]];
}

/** A control with its index. */
export interface IndexedControl {
  readonly control: ControlDescription;
  readonly index: number;
}

/** The controls of a form with their indices. */
export const indexControls = (form: FormDescription): readonly IndexedControl[] =>
  form.controls.map((control, index) => ({ control, index }));

export const isMutable = ({ disabled, readonly }: ControlDescription): boolean => !disabled && !readonly;

/** The controls that are neither disabled nor readonly, in tree order. */
export const mutableControls = (form: FormDescription): readonly IndexedControl[] =>
  indexControls(form).filter(({ control }) => isMutable(control));

/** The unit that controls of one kind make together. */
export function unitOf(members: readonly [IndexedControl, ...IndexedControl[]]): Unit {
  const [{ control }] = members;
  return { kind: unitKind(control, members.length), controls: members.map(({ index }) => index) };
}

function unitKind({ type }: ControlDescription, members: number): UnitKind {
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

/** The controls of a unit. */
export const controlsOf = (form: FormDescription, unit: Unit): readonly ControlDescription[] =>
  unit.controls.flatMap((index) => form.controls[index] ?? []);
