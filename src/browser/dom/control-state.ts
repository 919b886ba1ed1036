import type { ControlAssignment, FileValue } from '../../compiler/execute/control-assignment.js';
import { stringify } from '../../json.js';
import { getter, method, setter } from '../../platform/primordials.js';
import { dispatch } from '../../platform/signals.js';
import { domTree, elementsIn, inputType } from './dom-tree.js';

/** The user-visible state of a control. */
export type ControlState =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'checked'; readonly checked: boolean }
  | { readonly kind: 'selected'; /** The selectedness of each option. */ readonly options: readonly boolean[] }
  | { readonly kind: 'files'; readonly files: readonly File[] };

export type NativeAssignment = Extract<ControlAssignment, { readonly set: 'value' | 'checked' | 'selected' | 'files' }>;

const { Event, File, DataTransfer } = globalThis; // captured: a page may replace them
const inputValue = getter<Element, string>('HTMLInputElement', 'value');
const setInputValue = setter<Element, string>('HTMLInputElement', 'value');
const textareaValue = getter<Element, string>('HTMLTextAreaElement', 'value');
const setTextareaValue = setter<Element, string>('HTMLTextAreaElement', 'value');
const isChecked = getter<Element, boolean>('HTMLInputElement', 'checked');
const setChecked = setter<Element, boolean>('HTMLInputElement', 'checked');
const fileList = getter<Element, FileList | null>('HTMLInputElement', 'files');
const setFiles = setter<Element, FileList>('HTMLInputElement', 'files');
const optionsOf = getter<Element, HTMLCollection>('HTMLSelectElement', 'options');
const isMultiple = getter<Element, boolean>('HTMLSelectElement', 'multiple');
const setSelectedIndex = setter<Element, number>('HTMLSelectElement', 'selectedIndex');
const isSelected = getter<Element, boolean>('HTMLOptionElement', 'selected');
const setSelected = setter<Element, boolean>('HTMLOptionElement', 'selected');
const optionValue = getter<Element, string>('HTMLOptionElement', 'value');
const click = method<Element, [], void>('HTMLElement', 'click');

const filesOf = (control: Element): readonly File[] => Array.from(fileList(control) ?? []);
const isTextarea = (control: Element): boolean => domTree.localName(control) === 'textarea';

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
      return { kind: 'files', files: filesOf(control) };
    default:
      return { kind: 'value', value: inputValue(control) };
  }
}

export const optionElements = (control: Element): readonly Element[] =>
  domTree.localName(control) === 'select' ? elementsIn(optionsOf(control)) : [];

export const optionValues = (control: Element, options = optionElements(control)): readonly string[] =>
  options.map(optionValue);

export function stateFor(control: Element, assignment: NativeAssignment): ControlState {
  switch (assignment.set) {
    case 'value':
      return { kind: 'value', value: assignment.value };
    case 'checked':
      return { kind: 'checked', checked: assignment.checked };
    case 'selected': {
      const selected = new Set(assignment.options);
      return { kind: 'selected', options: optionElements(control).map((_, index) => selected.has(index)) };
    }
    case 'files':
      return { kind: 'files', files: assignment.files.map(fileOf) };
  }
}

function fileOf({ name, mediaType, content }: FileValue): File {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return new File([bytes], name, { type: mediaType });
}

export function hasState(control: Element, state: ControlState): boolean {
  const current = stateOf(control);
  return current.kind === state.kind && isSame(comparable(current), comparable(state));
}

/** Files are compared by name, size and type: their content can be read only asynchronously. */
function comparable(state: ControlState): readonly unknown[] {
  switch (state.kind) {
    case 'value':
      return [state.value];
    case 'checked':
      return [state.checked];
    case 'selected':
      return state.options;
    case 'files':
      return state.files.map(({ name, size, type }) => stringify([name, size, type]));
  }
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/**
 * Sets the state of a control like a user does, unless the control has it already, without moving the focus. Checkboxes
 * and radio buttons are clicked. Values are set with the native setters, which the value trackers of frameworks do not
 * intercept, followed by `input` and `change` events.
 */
export function setState(control: Element, state: ControlState): void {
  if (state.kind === 'files' ? isSame(filesOf(control), state.files) : hasState(control, state)) return;
  if (state.kind === 'checked' && canBeClicked(control, state.checked)) return click(control);
  write(control, state);
  dispatchChange(control);
}

/** A click cannot uncheck a radio button. */
const canBeClicked = (control: Element, checked: boolean): boolean => checked || inputType(control) === 'checkbox';

export function dispatchChange(control: Element): void {
  dispatch(control, new Event('input', { bubbles: true, composed: true }));
  dispatch(control, new Event('change', { bubbles: true }));
}

function write(control: Element, state: ControlState): void {
  switch (state.kind) {
    case 'value':
      return (isTextarea(control) ? setTextareaValue : setInputValue)(control, state.value);
    case 'checked':
      return setChecked(control, state.checked);
    case 'selected':
      return select(control, state.options);
    case 'files':
      return setFiles(control, createFileList(state.files));
  }
}

function select(control: Element, selected: readonly boolean[]): void {
  if (!isMultiple(control)) return setSelectedIndex(control, selected.indexOf(true));
  for (const [index, option] of optionElements(control).entries()) setSelected(option, selected[index] ?? false);
}

function createFileList(files: readonly File[]): FileList {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer.files;
}
