import type { ControlDescription, FormDescription } from '../description.js';
import { buttonTypes } from '../html/elements.js';
import { splitOnAsciiWhitespace } from '../html/text.js';
import type { Sensitive } from './synthesize.js';

/**
 * A form without the values of its hidden and sensitive controls and without personal data, such as the e-mail address of
 * the user who was logged in.
 *
 * A sensitive select retains its options if `sensitive` is 'include', so that agents can choose one.
 */
export const redactForm = (form: FormDescription, sensitive: Sensitive): FormDescription => ({
  ...form,
  controls: form.controls.map((control) => {
    if (isSecret(control)) return redactControl(control, sensitive);
    return isPersonal(control) ? withoutValue(control) : control;
  }),
});

/** The autofill fields with personal data. https://html.spec.whatwg.org/#autofill-field */
const personal =
  /^(?:name|(?:honorific|given|additional|family)-.+|nickname|username|email|tel|tel-.+|street-address|address-.+|postal-code|bday|bday-.+|sex|impp|photo)$/;

const isPersonal = ({ type, attributes: { value, autocomplete }, defaultText }: ControlDescription): boolean =>
  !!(value || defaultText) &&
  !choiceTypes.has(type) &&
  (type === 'email' ||
    type === 'tel' ||
    splitOnAsciiWhitespace(autocomplete ?? '').some((token) => personal.test(token.toLowerCase())));

/** The types whose `value` a person cannot edit. */
const choiceTypes: ReadonlySet<string> = new Set(['checkbox', 'radio', ...buttonTypes]);

const withoutValue = (control: ControlDescription): ControlDescription => ({
  ...omit(control, 'defaultText'),
  prefilled: true,
  attributes: omit(control.attributes, 'value'),
});

export const isSecret = ({ type, sensitive }: ControlDescription): boolean => type === 'hidden' || sensitive === true;

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
