import type { AwaitUserDetail } from '../../src/index.js';
import { elementsIn } from './form.js';

export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** What a control holds, with what a person reads of it. */
export type Held =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'checked'; readonly checked: boolean }
  | { readonly kind: 'selected'; readonly chosen: readonly Choice[]; readonly offered: readonly Choice[] }
  | { readonly kind: 'files'; readonly files: readonly File[] }
  | { readonly kind: 'custom'; readonly value: unknown; readonly checked: unknown };

const buttons = /^(?:submit|image|reset|button)$/;

/** The controls of a form that hold something. */
export const controlsOf = (form: HTMLFormElement): readonly HTMLElement[] =>
  elementsIn(form).filter(
    (control) =>
      (control instanceof HTMLInputElement && !buttons.test(control.type)) ||
      control instanceof HTMLSelectElement ||
      control instanceof HTMLTextAreaElement ||
      (control.localName.includes('-') && control.hasAttribute('name')),
  );

export const isBox = (control: Element): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio');

const choice = ({ value, label, text }: HTMLOptionElement): Choice => ({ value, text: label || text || value });

export function read(control: Element): Held {
  if (control instanceof HTMLSelectElement) {
    const chosen = Array.from(control.options).filter(({ selected }) => selected);
    return { kind: 'selected', chosen: chosen.map(choice), offered: Array.from(control.options, choice) };
  }
  if (isBox(control)) return { kind: 'checked', checked: control.checked };
  if (control instanceof HTMLInputElement && control.type === 'file') {
    return { kind: 'files', files: Array.from(control.files ?? []) };
  }
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
    return { kind: 'value', value: control.value };
  }
  return { kind: 'custom', value: member(control, 'value'), checked: member(control, 'checked') };
}

function member(control: Element, name: string): unknown {
  try {
    return Reflect.get(control, name);
  } catch {
    return undefined; // an element that is not rendered yet
  }
}

type State = AwaitUserDetail['changes'][number]['before'];

/** What the runtime says of a control; undefined where it takes the options of a select that are not known any more. */
export function heldOf(state: State, seen: Held | undefined): Held | undefined {
  if (!('kind' in state) || state.kind === 'custom')
    return { kind: 'custom', value: state.value, checked: state.checked };
  if (state.kind !== 'selected') return state;
  const offered = seen?.kind === 'selected' ? seen.offered : [];
  if (offered.length !== state.options.length) return undefined;
  return { kind: 'selected', chosen: offered.filter((_, index) => state.options[index]), offered };
}
