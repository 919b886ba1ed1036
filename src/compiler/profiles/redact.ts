import type { ControlDescription, FormDescription } from '../description.js';
import type { Sensitive } from './profile.js';

/**
 * A form without the values of its hidden and sensitive controls.
 *
 * A sensitive select retains its options if `sensitive` is 'include', so that agents can choose one.
 */
export const redactForm = (form: FormDescription, sensitive: Sensitive): FormDescription => ({
  ...form,
  controls: form.controls.map((control) => (isSecret(control) ? redactControl(control, sensitive) : control)),
});

const isSecret = ({ type, sensitive }: ControlDescription): boolean => type === 'hidden' || sensitive === true;

function redactControl(control: ControlDescription, sensitive: Sensitive): ControlDescription {
  const { attributes, options } = control;
  return {
    ...omit(control, 'options', 'suggestions', 'defaultText'),
    attributes: omit(attributes, 'value', 'checked'),
    ...(options && sensitive === 'include' && { options: options.map((option) => omit(option, 'selected')) }),
  };
}

export const omit = <Members extends object, Name extends keyof Members>(
  members: Members,
  ...names: readonly Name[]
): Omit<Members, Name> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name as Name))) as Omit<Members, Name>;
