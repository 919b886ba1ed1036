import type { AwaitUserDetail } from '../../src/index.js';
import { elementsOf } from '../form-access.js';

interface Choice {
  readonly value: string;
  readonly text: string;
}

/** The value of a control, with the labels that a person reads. */
export type ControlValue =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'checked'; readonly checked: boolean }
  | { readonly kind: 'selected'; readonly chosen: readonly Choice[]; readonly options: readonly Choice[] }
  | { readonly kind: 'files'; readonly files: readonly File[] }
  | { readonly kind: 'custom'; readonly value: unknown; readonly checked: unknown };

const buttons = /^(?:submit|image|reset|button)$/;

/** The controls of a form that have a value. */
export const controlsOf = (form: HTMLFormElement): readonly HTMLElement[] =>
  elementsOf(form).filter(
    (control) =>
      (control instanceof HTMLInputElement && !buttons.test(control.type)) ||
      control instanceof HTMLSelectElement ||
      control instanceof HTMLTextAreaElement ||
      (control.localName.includes('-') && control.hasAttribute('name')),
  );

export const isBox = (control: Element): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio');

const choiceOf = ({ value, label, text }: HTMLOptionElement): Choice => ({ value, text: label || text || value });

export function readControl(control: Element): ControlValue {
  if (control instanceof HTMLSelectElement) {
    const chosen = Array.from(control.options).filter(({ selected }) => selected);
    return { kind: 'selected', chosen: chosen.map(choiceOf), options: Array.from(control.options, choiceOf) };
  }
  if (isBox(control)) return { kind: 'checked', checked: control.checked };
  if (control instanceof HTMLInputElement && control.type === 'file') {
    return { kind: 'files', files: Array.from(control.files ?? []) };
  }
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
    return { kind: 'value', value: control.value };
  }
  return { kind: 'custom', value: propertyOf(control, 'value'), checked: propertyOf(control, 'checked') };
}

function propertyOf(control: Element, name: string): unknown {
  try {
    return Reflect.get(control, name);
  } catch {
    return undefined; // the element may not have rendered yet
  }
}

type State = AwaitUserDetail['changes'][number]['before'];

/** Converts a state of the runtime; undefined if the options of a select have changed since the state was recorded. */
export function valueOf(state: State, seen: ControlValue | undefined): ControlValue | undefined {
  if (!('kind' in state) || state.kind === 'custom')
    return { kind: 'custom', value: state.value, checked: state.checked };
  if (state.kind !== 'selected') return state;
  const options = seen?.kind === 'selected' ? seen.options : [];
  if (options.length !== state.options.length) return undefined;
  return { kind: 'selected', chosen: options.filter((_, index) => state.options[index]), options };
}

export const isSameValue = (one: ControlValue, other: ControlValue): boolean => keyOf(one) === keyOf(other);

/** A string that is equal for equal values. */
export function keyOf(value: ControlValue): string {
  switch (value.kind) {
    case 'selected':
      return JSON.stringify(value.chosen.map((each) => each.value));
    case 'files':
      return JSON.stringify(value.files.map(({ name, size, type, lastModified }) => [name, size, type, lastModified]));
    case 'custom':
      return `${customText(value.value)}\n${customText(value.checked)}`;
    case 'value':
      return value.value;
    case 'checked':
      return String(value.checked);
  }
}

/** The text of a property of a custom element. */
export function customText(value: unknown): string {
  try {
    return typeof value === 'string' ? value : value == null ? '' : String(JSON.stringify(value));
  } catch {
    return '';
  }
}
