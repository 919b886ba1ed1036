import { SafeMap, SafeSet } from '../../platform/collections.js';
import { editedState } from '../call/editors.js';
import type { RunningCall } from '../call/running-call.js';
import { optionElements, optionValues, type ControlState } from '../dom/control-state.js';
import { domTree, elementsOfForm } from '../dom/dom-tree.js';
import { inputType, matches } from '../dom/members.js';

export interface FilledValue {
  readonly control: Element;
  readonly text: string;
}

/** The values that a form would submit, by name. Files are represented by their names. */
export type ValuesByName = ReadonlyMap<string, readonly FilledValue[]>;

export const readValues = (call: RunningCall): ValuesByName =>
  groupByName(call, (control) =>
    matches(control, ':disabled')
      ? []
      : submittedTexts(control, editedState(call.form.settings, control)).map((text) => ({ control, text })),
  );

export function groupByName<Item>(
  { form: { element } }: RunningCall,
  itemsOf: (control: Element) => readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const groups = new SafeMap<string, Item[]>();
  for (const control of elementsOfForm(element)) {
    const name = domTree.attribute(control, 'name');
    if (!name || !fields.test(domTree.localName(control))) continue;
    const group = groups.get(name) ?? [];
    group.push(...itemsOf(control));
    groups.set(name, group);
  }
  return groups;
}

const fields = /^(?:input|select|textarea)$/;
const buttons = /^(?:button|image|reset|submit)$/;
export const isInput = (control: Element): boolean => domTree.localName(control) === 'input';

function submittedTexts(control: Element, state: ControlState): readonly string[] {
  switch (state.kind) {
    case 'value':
      return isInput(control) && buttons.test(inputType(control)) ? [] : [state.value];
    case 'checked':
      return state.checked ? choicesOf(control) : [];
    case 'selected': {
      const isSubmitted = (option: Element, index: number): boolean =>
        state.options[index] === true && !matches(option, ':disabled');
      return optionValues(control, optionElements(control).filter(isSubmitted));
    }
    case 'files':
      return state.files.map(({ name }) => name);
  }
}

/** The values that a select, checkbox or radio button can submit; empty for other controls. */
export function choicesOf(control: Element): readonly string[] {
  if (!isInput(control)) return optionValues(control);
  return /^(?:checkbox|radio)$/.test(inputType(control)) ? [domTree.attribute(control, 'value') ?? 'on'] : [];
}

export const isChoice = (control: Element): boolean => choicesOf(control).length > 0;

const minCopiedLength = 4;

/** Whether `text` equals `value`, or contains it if it has at least `minCopiedLength` characters. */
export const isCopy = (text: string, value: string): boolean =>
  text === value || (value.length >= minCopiedLength && text.includes(value));

/** Whether a control other than the given ones has a copy of a value, and no control of its name had the same text before. */
export function hasNewCopy(
  call: RunningCall,
  value: string,
  controls: readonly Element[],
  before: ValuesByName,
): boolean {
  const own = new SafeSet(controls);
  const isNew = (name: string, text: string): boolean => !before.get(name)?.some((each) => each.text === text);
  return [...readValues(call)].some(([name, values]) =>
    values.some(({ control, text }) => isCopy(text, value) && !own.has(control) && isNew(name, text)),
  );
}
