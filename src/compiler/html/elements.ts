/** HTML's tables, as data. Source: https://html.spec.whatwg.org/multipage/forms.html and input.html */

/** The keywords of the `type` attribute of an input; any other value is the Text state. */
export const inputTypes = [
  'hidden',
  'text',
  'search',
  'tel',
  'url',
  'email',
  'password',
  'date',
  'month',
  'week',
  'time',
  'datetime-local',
  'number',
  'range',
  'color',
  'checkbox',
  'radio',
  'file',
  'submit',
  'image',
  'reset',
  'button',
] as const;
export type InputType = (typeof inputTypes)[number];

/** What a control is: an input's state, or the kind of another listed element. */
export type ControlType =
  InputType | 'textarea' | 'select-one' | 'select-multiple' | 'output' | 'fieldset' | 'object' | 'custom';

/** https://html.spec.whatwg.org/#category-listed */
export const listedElements: ReadonlySet<string> = new Set([
  'button',
  'fieldset',
  'input',
  'object',
  'output',
  'select',
  'textarea',
]);

/** https://html.spec.whatwg.org/#category-label (an input only when it is not hidden) */
export const labelableElements: ReadonlySet<string> = new Set([
  'button',
  'input',
  'meter',
  'output',
  'progress',
  'select',
  'textarea',
]);

const types = (...list: ControlType[]): ReadonlySet<ControlType> => new Set(list);

/** The types to which an attribute applies. https://html.spec.whatwg.org/#attr-input-type */
export const applies = {
  readonly: types(
    'text',
    'search',
    'tel',
    'url',
    'email',
    'password',
    'date',
    'month',
    'week',
    'time',
    'datetime-local',
    'number',
    'textarea',
  ),
  required: types(
    'text',
    'search',
    'tel',
    'url',
    'email',
    'password',
    'date',
    'month',
    'week',
    'time',
    'datetime-local',
    'number',
    'checkbox',
    'radio',
    'file',
    'textarea',
    'select-one',
    'select-multiple',
  ),
  pattern: types('text', 'search', 'tel', 'url', 'email', 'password'),
  length: types('text', 'search', 'tel', 'url', 'email', 'password', 'textarea'),
  autocomplete: types(
    'hidden',
    'text',
    'search',
    'tel',
    'url',
    'email',
    'password',
    'date',
    'month',
    'week',
    'time',
    'datetime-local',
    'number',
    'range',
    'color',
    'textarea',
    'select-one',
    'select-multiple',
    'custom',
  ),
  list: types(
    'text',
    'search',
    'tel',
    'url',
    'email',
    'date',
    'month',
    'week',
    'time',
    'datetime-local',
    'number',
    'range',
    'color',
  ),
} as const;

export const buttonTypes: ReadonlySet<ControlType> = types('submit', 'image', 'reset', 'button');
export const temporalTypes: ReadonlySet<ControlType> = types('date', 'month', 'week', 'time', 'datetime-local');

const submission = ['formaction', 'formmethod', 'formenctype', 'formnovalidate', 'formtarget'] as const;
const input = [
  'value',
  'checked',
  'required',
  'min',
  'max',
  'step',
  'minlength',
  'maxlength',
  'pattern',
  'multiple',
  'accept',
  'autocomplete',
  'dirname',
] as const;

/** The content attributes that a description keeps as written, beside `name` and `type`, by local name. */
export const controlAttributes = {
  input,
  select: ['required', 'multiple', 'size', 'autocomplete'],
  textarea: ['required', 'minlength', 'maxlength', 'autocomplete', 'dirname'],
  button: ['value', ...submission],
  submitInput: [...input, ...submission],
  custom: ['value', 'required', 'toolparamschema'],
} as const;
export type ControlAttribute = (typeof controlAttributes)[keyof typeof controlAttributes][number];

const reservedNames = new Set([
  'annotation-xml',
  'color-profile',
  'font-face',
  'font-face-src',
  'font-face-uri',
  'font-face-format',
  'font-face-name',
  'missing-glyph',
]);

/** https://html.spec.whatwg.org/#valid-custom-element-name (of a name that `Tree.localName` gives) */
export const isCustomElementName = (name: string): boolean =>
  name.includes('-') && !name.startsWith(':') && !reservedNames.has(name);
