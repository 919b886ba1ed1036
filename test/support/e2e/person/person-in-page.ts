import type { JsonValue } from '../../../../src/json-schema.js';

/** An action of a person at the control that has the focus. */
export type Action =
  | { readonly enter: string }
  | { readonly press: 'Delete' | 'Enter' | 'Space' }
  | { readonly attach: JsonValue }
  /** No key. It gives the page time to run its scripts for a picked value. */
  | { readonly picked: true }
  /** The reason why a person cannot give a value. */
  | { readonly missing: string };

declare global {
  interface Window {
    /** The actions of a person who fills the form of the tool and submits it. Each action is done before the next is read. */
    actions: (input: Readonly<Record<string, JsonValue>>) => Generator<Action, undefined>;
    /** The actions of the current case. */
    currentActions: Generator<Action, undefined>;
  }
}

/**
 * Defines `window.actions`. It runs in the page before its scripts. The browser receives the source of this one function, so
 * that it has all of its helpers inside.
 */
export function definePerson(): void {
  type Control = HTMLInputElement & { readonly options?: HTMLOptionsCollection };
  const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const givenBy = ({ attributes }: Control): string | undefined => attributes.getNamedItem('value')?.value;
  const controlsNamed = (name: string): readonly Control[] =>
    (window.controlsOfForm(window.findForm()) as readonly Control[]).filter(
      (each) => each.getAttribute('name') === name && each.type !== 'hidden' && !each.matches(':disabled'),
    );

  /** Focuses a control, and changes it as a picker of the browser does. */
  function* pick(control: HTMLElement, change: () => void): Generator<Action, void> {
    control.focus();
    change();
    control.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    control.dispatchEvent(new Event('change', { bubbles: true }));
    yield { picked: true };
  }

  function* enterText(control: Control, value: string): Generator<Action, void> {
    if (control.value === value) return;
    if (/^(?:date|month|week|time|datetime-local|color|range)$/.test(control.type))
      return yield* pick(control, () => (control.value = value));
    control.focus();
    control.select();
    yield value === '' ? { press: 'Delete' } : { enter: value };
  }

  function* choose(
    select: HTMLElement,
    all: HTMLOptionsCollection,
    values: readonly string[],
  ): Generator<Action, void> {
    const options = [...all];
    const unknown = values.find((value) => !options.some((each) => !each.disabled && each.value === value));
    if (unknown !== undefined) yield { missing: `The page does not offer ${unknown}.` };
    if (options.every(({ selected, value }) => selected === values.includes(value))) return;
    yield* pick(select, () => options.forEach((option) => (option.selected = values.includes(option.value))));
  }

  /** Checks boxes and radio buttons with the space bar. */
  function* check(controls: readonly Control[], value: JsonValue): Generator<Action, void> {
    const values = [value].flat();
    for (const control of controls) {
      const isOn = typeof value === 'boolean' ? value : values.includes(givenBy(control) ?? 'on');
      if (control.checked === isOn || (!isOn && control.type === 'radio')) continue;
      control.focus();
      yield { press: 'Space' };
    }
  }

  /** Fills the controls of a name. Returns the button that the value chooses. */
  function* fillIn(name: string, value: JsonValue): Generator<Action, Control | undefined> {
    const controls = controlsNamed(name);
    const [first] = controls;
    if (!first) yield { missing: `The page has no control ${name}.` };
    const { type, options } = first as Control;
    const values = [value].flat() as readonly JsonValue[];
    if (type === 'submit' || type === 'image') return controls.find((each) => givenBy(each) === value);
    if (type === 'file') {
      first?.focus();
      yield { attach: value };
    } else if (type === undefined) yield { missing: `Nobody can type into ${name}.` };
    else if (options) yield* choose(first as Control, options, values.map(textOf));
    else if (type === 'checkbox' || type === 'radio') yield* check(controls, value);
    else
      for (const [index, each] of values.entries())
        yield* enterText(controls[index] ?? (first as Control), textOf(each));
    return undefined;
  }

  window.actions = function* (input) {
    let button: HTMLElement | undefined;
    for (const [name, value] of Object.entries(input)) button = (yield* fillIn(name, value)) ?? button;
    (button ?? window.findSubmit()).focus();
    yield { press: 'Enter' };
    return undefined;
  };
}
