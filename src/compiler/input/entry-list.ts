import type { JsonValue } from '../../json-schema.js';
import { stringify } from '../../json.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { nameSet } from '../html/elements.js';
import { asciiLowercase } from '../html/text.js';
import type { FileValue } from './plan-input.js';
import type { ControlState } from './form-state.js';

/** One name and value of a submission. https://xhr.spec.whatwg.org/#concept-formdata-entry */
export interface Entry {
  readonly name: string;
  readonly value: string | FileValue;
}

export interface EntryListOptions {
  readonly submitter?: number | undefined;
  /**
   * The value of a hidden control named `_charset_`.
   * @default 'UTF-8'
   */
  readonly charset?: string | undefined;
  /**
   * Returns the directionality of a control with a `dirname`.
   * @default () => 'ltr'
   */
  readonly directionOf?: ((control: number) => 'ltr' | 'rtl') | undefined;
}

/**
 * The entry list of a form whose controls have these states.
 * https://html.spec.whatwg.org/#constructing-the-form-data-set
 */
export function entryList(
  form: FormDescription,
  states: readonly ControlState[],
  options: EntryListOptions = {},
): readonly Entry[] {
  return form.controls.flatMap((control, index) => {
    const state = states[index];
    if (control.disabled || state === undefined) return [];
    return [...entriesOf(control, index, state, options), ...directionEntry(control, index, options)];
  });
}

function entriesOf(
  control: ControlDescription,
  index: number,
  state: ControlState,
  { submitter, charset = 'UTF-8' }: EntryListOptions,
): readonly Entry[] {
  const { type, name, attributes } = control;
  if (type === 'image') return index === submitter ? coordinates(name) : [];
  if (name === '') return [];
  const entry = (value: string | FileValue): Entry => ({ name, value });
  if (type === 'submit') return index === submitter ? [entry(attributes.value ?? defaultLabel(control))] : [];
  switch (state.holds) {
    case 'checked':
      return state.checked ? [entry(attributes.value ?? 'on')] : [];
    case 'selected':
      return selectedValues(control, state.options).map(entry);
    case 'files':
      return state.files.length === 0 ? [entry(noFile)] : state.files.map(entry);
    case 'custom':
      return customTexts(state.value).map(entry);
    case 'value':
      return [entry(isCharset(control) ? charset : state.value)];
    case 'nothing':
      return [];
  }
}

/** The coordinates of a click without a pointer. */
const coordinates = (name: string): readonly Entry[] =>
  ['x', 'y'].map((axis) => ({ name: name === '' ? axis : `${name}.${axis}`, value: '0' }));

/** The default value of a submit input, in English. https://html.spec.whatwg.org/#submit-button-state-(type=submit) */
const defaultLabel = ({ element }: ControlDescription): string => (element === 'input' ? 'Submit' : '');

const noFile: FileValue = { name: '', mediaType: 'application/octet-stream', content: '' };

const selectedValues = ({ options = [] }: ControlDescription, indices: readonly number[]): readonly string[] =>
  indices.flatMap((index) => {
    const option = options[index];
    return option && !option.disabled ? [option.value] : [];
  });

/** The strings that a custom element submits: one for each item of a list. Objects are serialized as JSON. */
function customTexts(value: JsonValue): readonly string[] {
  if (value === null) return [];
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((each) => customText(each));
  return customText(value);
}

const customText = (value: JsonValue): readonly string[] =>
  value === null ? [] : [typeof value === 'object' ? stringify(value) : String(value)];

/** Whether a hidden control submits the name of the encoding. */
export const isCharset = ({ type, name }: ControlDescription): boolean =>
  type === 'hidden' && asciiLowercase(name) === '_charset_';

function directionEntry(
  { type, name, attributes: { dirname = '' } }: ControlDescription,
  index: number,
  { submitter, directionOf }: EntryListOptions,
): readonly Entry[] {
  if (name === '' || dirname === '' || !directed.has(type) || (type === 'submit' && index !== submitter)) return [];
  return [{ name: dirname, value: directionOf?.(index) ?? 'ltr' }];
}

/** https://html.spec.whatwg.org/#auto-directionality-form-associated-elements */
const directed = nameSet('hidden text search tel url email password submit textarea');
