import type { Field } from './fields.js';

const controlsIn = (form: HTMLFormElement, index: number): readonly (HTMLInputElement | HTMLSelectElement)[] => [
  ...form.querySelectorAll<HTMLInputElement>(`[data-field="p${String(index)}"] :is(input, select, textarea)`),
];

/** What is entered in the control, or the controls, of a field. */
export const textsIn = (form: HTMLFormElement, index: number): readonly string[] =>
  controlsIn(form, index)
    .filter((control) => control.type !== 'checkbox' || control.checked)
    .map(({ value }) => value);

export interface Chosen {
  readonly name: string;
  /** As JSON. */
  readonly values: readonly string[];
}

const valueAt = ({ options }: Field, index: string): string => JSON.stringify(options[Number(index)]?.value);

/** What is chosen in the fields that offer values. */
export const chosenIn = (form: HTMLFormElement, fields: readonly Field[]): readonly Chosen[] =>
  fields.flatMap((field, index) => {
    const chosen = field.options.length > 0 ? textsIn(form, index).filter((text) => text !== '') : [];
    return chosen.length > 0 ? [{ name: field.name, values: chosen.map((each) => valueAt(field, each)) }] : [];
  });

/** Chooses by value; false if a value is not offered any more. */
export function choose(form: HTMLFormElement, fields: readonly Field[], { name, values }: Chosen): boolean {
  const position = fields.findIndex((field) => field.name === name);
  const field = fields[position];
  const controls = controlsIn(form, position);
  const isChosen = (index: string): boolean => index !== '' && !!field && values.includes(valueAt(field, index));
  for (const control of controls) {
    if (control instanceof HTMLSelectElement)
      control.value = Array.from(control.options, ({ value }) => value).find(isChosen) ?? '';
    else control.checked = isChosen(control.value);
  }
  return !!field && values.every((value) => field.options.some((option) => JSON.stringify(option.value) === value));
}
