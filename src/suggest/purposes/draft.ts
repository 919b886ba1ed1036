import { listedFields } from '../words/field-list.js';
import type { FoundText } from '../words/clean-text.js';
import type { Field } from '../page/fields.js';
import type { FormFacts } from '../page/form-facts.js';
import type { OriginKind, SensitiveForm } from '../suggestion.js';

export type Facts = FormFacts<unknown>;

/** The draft of a suggestion, before its tool name is made unique. */
export interface Draft {
  readonly words: readonly string[];
  /** The description, without the full stop. */
  readonly sentence: string;
  readonly title?: string;
  readonly confidence: 'high' | 'medium' | 'low';
  readonly origins: readonly (FoundText | undefined)[];
  readonly sensitive?: SensitiveForm;
  /** Whether submitting the form only reads. */
  readonly reads?: boolean;
}

/** Recognizes a purpose by the controls, the method and the words of a form. */
export type Purpose = (facts: Facts) => Draft | undefined;

export const nameOf = (field: Field): string =>
  `${field.name} ${field.control.attributes.autocomplete ?? ''} ${field.label?.text ?? ''}`.toLowerCase();

export const isText = ({ type }: Field): boolean => /^(?:text|search|email|tel|url|number|textarea|custom)$/.test(type);

export const isEmail = (field: Field): boolean =>
  field.type === 'email' || (isText(field) && field.type !== 'textarea' && /e-?mail/.test(nameOf(field)));

const passwordLabel = /^(?:confirm |repeat |new )?password\b/i;
/** Matches names of password fields that are described as `text`: visible ones, and those with a type of a template. */
const passwordName = /(?:^|[._[-])(?:confirm|repeat|current|old|new)?[_-]?(?:password|passwd)\d?\]?$/i;

export const passwords = ({ fields }: Facts): readonly Field[] =>
  fields.filter(
    ({ type, control, label, name }) =>
      type === 'password' ||
      (type === 'text' && (passwordLabel.test(label?.text ?? '') || passwordName.test(name))) ||
      /(?:current|new)-password/.test(control.attributes.autocomplete ?? ''),
  );

export const others = (facts: Facts): readonly Field[] => listedFields(facts.fields);

export const fact = (kind: OriginKind, text: string | null | undefined): FoundText | undefined =>
  text ? { kind, text } : undefined;

export const method = ({ description }: Facts): FoundText => ({ kind: 'method', text: description.method });

export const labelsOf = (fields: readonly Field[]): readonly (FoundText | undefined)[] =>
  fields.slice(0, 6).map(({ label }) => label);

/** Whether a title is the title of a record: it has a number, or is also the value of a control. */
export const isOfRecord = (text: string, { description }: Facts): boolean =>
  /#\d/.test(text) ||
  description.controls.some(({ attributes, defaultText }) => (attributes.value ?? defaultText)?.trim() === text);

export const titleText = (facts: Facts): FoundText | undefined => facts.titles[0];
