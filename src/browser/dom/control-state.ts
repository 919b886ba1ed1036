import type { ControlAssignment, FileValue } from '../../compiler/input/plan-input.js';
import { applies } from '../../compiler/html/elements.js';
import { stringify } from '../../json.js';
import { domTree } from './dom-tree.js';
import {
  click,
  filesOf,
  inputType,
  isChecked,
  isMultiple,
  isSelected,
  isTextarea,
  matches,
  optionsOf,
  optionValue,
  setChecked,
  setFiles,
  setSelected,
  setSelectedIndex,
  setValueOf,
  valueOf,
} from './members.js';
import { dispatchChange, dispatchChoice, enter, isReachable, type } from './user-events.js';

export { dispatchChoice };

/** The user-visible state of a control. */
export type ControlState =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'checked'; readonly checked: boolean }
  | { readonly kind: 'selected'; /** The selectedness of each option. */ readonly options: readonly boolean[] }
  | { readonly kind: 'files'; readonly files: readonly File[] };

export type NativeAssignment = Extract<ControlAssignment, { readonly set: 'value' | 'checked' | 'selected' | 'files' }>;

export function stateOf(control: Element): ControlState {
  if (domTree.localName(control) === 'select') {
    return { kind: 'selected', options: optionElements(control).map(isSelected) };
  }
  if (isTextarea(control)) return { kind: 'value', value: valueOf(control) };
  switch (inputType(control)) {
    case 'checkbox':
    case 'radio':
      return { kind: 'checked', checked: isChecked(control) };
    case 'file':
      return { kind: 'files', files: filesIn(control) };
    default:
      return { kind: 'value', value: valueOf(control) };
  }
}

const filesIn = (control: Element): readonly File[] => [...(filesOf(control) ?? [])];

export const optionElements = (control: Element): readonly Element[] =>
  domTree.localName(control) === 'select' ? [...optionsOf(control)] : [];

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
 * Sets the state of a control with the events of a user, unless the control has it already, without moving the focus.
 * Checkboxes and radio buttons are clicked. Values are set with the native setters, which the value trackers of frameworks
 * do not intercept.
 */
export function setState(control: Element, state: ControlState): void {
  if (state.kind === 'files' ? isSame(filesIn(control), state.files) : hasState(control, state)) return;
  const leave = enter(control);
  change(control, state);
  leave();
}

/**
 * Sets a value as scripts of the page do. Some masks change a formatted value when it is typed, but not when a script sets it.
 */
export function setValueAsScript(control: Element, value: string): void {
  const leave = enter(control);
  (control as HTMLInputElement).value = value;
  dispatchChange(control);
  leave();
}

function change(control: Element, state: ControlState): void {
  if (state.kind === 'checked' && canBeClicked(control, state.checked)) return click(control);
  if (state.kind === 'value' && isTyped(control)) {
    if (typeText(control, state.value)) dispatchChange(control);
    return;
  }
  writeState(control, state);
  dispatchChoice(control);
}

/** Replaces the text of a control. Returns false if the page cancels `beforeinput`. */
export const typeText = (control: Element, value: string): boolean =>
  type(control, value, () => writeState(control, { kind: 'value', value }));

/** A click cannot uncheck a radio button, and does nothing to a disabled control. */
const canBeClicked = (control: Element, checked: boolean): boolean =>
  (checked || inputType(control) === 'checkbox') && !matches(control, ':disabled');

/** Whether users type the value of a control. They choose other values, such as dates, in a picker. */
const isTyped = (control: Element): boolean =>
  isReachable(control) &&
  (isTextarea(control) || inputType(control) === 'number' || applies.length.has(inputType(control) as 'text'));

/** Sets the state of a control without events. */
export function writeState(control: Element, state: ControlState): void {
  switch (state.kind) {
    case 'value':
      return setValueOf(control, state.value);
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
