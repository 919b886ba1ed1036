/** Tables of the HTML Standard: https://html.spec.whatwg.org/multipage/forms.html and input.html */

const textInputs = ['text', 'search', 'tel', 'url', 'email', 'password'] as const;
const dateInputs = ['date', 'month', 'week', 'time', 'datetime-local'] as const;
const buttons = ['submit', 'image', 'reset', 'button'] as const;
const selects = ['select-one', 'select-multiple'] as const;
const otherInputs = ['hidden', 'number', 'range', 'color', 'checkbox', 'radio', 'file'] as const;

/** The keywords of the `type` attribute of an input; any other value is the Text state. */
export const inputTypes = [...textInputs, ...dateInputs, ...otherInputs, ...buttons] as const;

/** An input's state, or the kind of another listed element. */
export const controlTypes = [
  ...inputTypes,
  ...selects,
  ...(['textarea', 'output', 'fieldset', 'object', 'custom'] as const),
] as const;
export type ControlType = (typeof controlTypes)[number];

export const nameSet = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** https://html.spec.whatwg.org/#category-listed */
export const listedElements = nameSet('button fieldset input object output select textarea');

/** https://html.spec.whatwg.org/#category-label (an input only if it is not hidden) */
export const labelableElements = nameSet('button input meter output progress select textarea');

const types = (...list: ControlType[]): ReadonlySet<ControlType> => new Set(list);

/** The types to which an attribute applies. https://html.spec.whatwg.org/#attr-input-type */
export const applies = {
  readonly: types(...textInputs, ...dateInputs, 'number', 'textarea'),
  required: types(...textInputs, ...dateInputs, 'number', 'checkbox', 'radio', 'file', 'textarea', ...selects),
  pattern: types(...textInputs),
  length: types(...textInputs, 'textarea'),
  autocomplete: types(
    'hidden',
    ...textInputs,
    ...dateInputs,
    'number',
    'range',
    'color',
    'textarea',
    ...selects,
    'custom',
  ),
  list: types('text', 'search', 'tel', 'url', 'email', ...dateInputs, 'number', 'range', 'color'),
} as const;

export const buttonTypes: ReadonlySet<ControlType> = types(...buttons);
/** The types whose values are never set. */
export const valuelessTypes: ReadonlySet<ControlType> = types(...buttons, 'output', 'fieldset', 'object');
export const temporalTypes: ReadonlySet<ControlType> = types(...dateInputs);

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

/** The content attributes that a description copies, besides `name` and `type`, by local name. */
export const controlAttributes = {
  input,
  select: ['required', 'multiple', 'size', 'autocomplete', 'data-ajax--url'],
  textarea: ['required', 'minlength', 'maxlength', 'autocomplete', 'dirname'],
  button: ['value', ...submission],
  submitInput: [...input, ...submission],
  custom: ['value', 'required', 'toolparamschema'],
} as const;
export type ControlAttribute = (typeof controlAttributes)[keyof typeof controlAttributes][number];

const reservedNames = nameSet(
  'annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name missing-glyph',
);

/** https://html.spec.whatwg.org/#valid-custom-element-name (for a name that `Tree.localName` returns) */
export const isCustomElementName = (name: string): boolean =>
  name.includes('-') && !name.startsWith(':') && !reservedNames.has(name);
