import type { FileValue, Setting } from '../../compiler/execute/execute-steps.js';
import { stringify } from '../../json.js';
import { getter, method, setter } from '../../platform/primordials.js';
import { domTree, listOf } from './dom-tree.js';

/** What a person sees of a control and can change. */
export type ControlState =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'checked'; readonly checked: boolean }
  | { readonly kind: 'selected'; /** Whether each option is. */ readonly options: readonly boolean[] }
  | { readonly kind: 'files'; readonly files: readonly File[] };

/** A setting of a control that the browser itself has. */
export type NativeSetting = Extract<Setting, { readonly set: 'value' | 'checked' | 'selected' | 'files' }>;

const { Event, File, DataTransfer } = globalThis; // captured: a page may replace them
const inputType = getter<Element, string>('HTMLInputElement', 'type');
const inputValue = getter<Element, string>('HTMLInputElement', 'value');
const setInputValue = setter<Element, string>('HTMLInputElement', 'value');
const textareaValue = getter<Element, string>('HTMLTextAreaElement', 'value');
const setTextareaValue = setter<Element, string>('HTMLTextAreaElement', 'value');
const isChecked = getter<Element, boolean>('HTMLInputElement', 'checked');
const setChecked = setter<Element, boolean>('HTMLInputElement', 'checked');
const filesOf = getter<Element, FileList | null>('HTMLInputElement', 'files');
const setFiles = setter<Element, FileList>('HTMLInputElement', 'files');
const optionsOf = getter<Element, HTMLCollection>('HTMLSelectElement', 'options');
const isMultiple = getter<Element, boolean>('HTMLSelectElement', 'multiple');
const setSelectedIndex = setter<Element, number>('HTMLSelectElement', 'selectedIndex');
const isSelected = getter<Element, boolean>('HTMLOptionElement', 'selected');
const setSelected = setter<Element, boolean>('HTMLOptionElement', 'selected');
const optionValue = getter<Element, string>('HTMLOptionElement', 'value');
const click = method<Element, [], void>('HTMLElement', 'click');
const dispatch = method<Element, [Event], boolean>('EventTarget', 'dispatchEvent');

const filesIn = (control: Element): readonly File[] => Array.from(filesOf(control) ?? []);
const isTextarea = (control: Element): boolean => domTree.localName(control) === 'textarea';

/** The state of an input, a select or a textarea. */
export function stateOf(control: Element): ControlState {
  if (domTree.localName(control) === 'select') {
    return { kind: 'selected', options: optionElements(control).map(isSelected) };
  }
  if (isTextarea(control)) return { kind: 'value', value: textareaValue(control) };
  switch (inputType(control)) {
    case 'checkbox':
    case 'radio':
      return { kind: 'checked', checked: isChecked(control) };
    case 'file':
      return { kind: 'files', files: filesIn(control) };
    default:
      return { kind: 'value', value: inputValue(control) };
  }
}

/** The options of a select; none for other controls. */
export const optionElements = (control: Element): readonly Element[] =>
  domTree.localName(control) === 'select' ? listOf(optionsOf(control)) : [];

export const optionValues = (control: Element, options = optionElements(control)): readonly string[] =>
  options.map(optionValue);

/** The state that a setting asks for. */
export function stateFor(control: Element, setting: NativeSetting): ControlState {
  switch (setting.set) {
    case 'value':
      return { kind: 'value', value: setting.value };
    case 'checked':
      return { kind: 'checked', checked: setting.checked };
    case 'selected': {
      const chosen = new Set(setting.options);
      return { kind: 'selected', options: optionElements(control).map((_, index) => chosen.has(index)) };
    }
    case 'files':
      return { kind: 'files', files: setting.files.map(fileOf) };
  }
}

function fileOf({ name, mediaType, content }: FileValue): File {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return new File([bytes], name, { type: mediaType });
}

/** Whether a control is in a state. */
export function hasState(control: Element, state: ControlState): boolean {
  const current = stateOf(control);
  switch (state.kind) {
    case 'value':
      return current.kind === 'value' && current.value === state.value;
    case 'checked':
      return current.kind === 'checked' && current.checked === state.checked;
    case 'selected':
      return current.kind === 'selected' && isSame(current.options, state.options);
    case 'files':
      return current.kind === 'files' && isSame(current.files.map(fileKey), state.files.map(fileKey));
  }
}

/** Two files with this in common are not told apart: what is in them can be read only later. */
const fileKey = ({ name, size, type }: File): string => stringify([name, size, type]);

const isSame = <Item>(a: readonly Item[], b: readonly Item[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/**
 * Puts a control into a state as a person does: with the browser's own setters, which a framework's trackers on the
 * element do not see, and `input` and `change` afterwards; a checkbox or a radio button is clicked. A control that is in
 * the state is left alone. No focus moves.
 */
export function setState(control: Element, state: ControlState): void {
  if (state.kind === 'files' ? isSame(filesIn(control), state.files) : hasState(control, state)) return;
  if (state.kind === 'checked' && canBeClicked(control, state.checked)) return click(control);
  write(control, state);
  dispatch(control, new Event('input', { bubbles: true, composed: true }));
  dispatch(control, new Event('change', { bubbles: true }));
}

/** A click checks a radio button and does not take that back. */
const canBeClicked = (control: Element, checked: boolean): boolean => checked || inputType(control) === 'checkbox';

function write(control: Element, state: ControlState): void {
  switch (state.kind) {
    case 'value':
      return (isTextarea(control) ? setTextareaValue : setInputValue)(control, state.value);
    case 'checked':
      return setChecked(control, state.checked);
    case 'selected':
      return select(control, state.options);
    case 'files':
      return setFiles(control, fileList(state.files));
  }
}

function select(control: Element, chosen: readonly boolean[]): void {
  if (!isMultiple(control)) return setSelectedIndex(control, chosen.indexOf(true));
  for (const [index, option] of optionElements(control).entries()) setSelected(option, chosen[index] ?? false);
}

/** A page cannot make a FileList by itself, but a drag can have one. */
function fileList(files: readonly File[]): FileList {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer.files;
}
