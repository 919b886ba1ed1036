import { stringify } from '../../json.js';
import type { JsonValue } from '../../json-schema.js';
import { SafeWeakMap } from '../../platform/collections.js';
import { apply } from '../../platform/primordials.js';
import { reportError } from '../../platform/tasks.js';
import { dispatchChoice } from './user-events.js';
import { isCustomElementName } from '../../compiler/html/elements.js';
import { domTree } from './dom-tree.js';

/** The values that the running call passed to `toolFillCallback`, as JSON text. */
const filledValues = new SafeWeakMap<Element, string>();

/**
 * Reads and sets the values of form-associated custom elements. Elements with a `toolFillCallback` fill themselves;
 * other elements are filled through `checked` or `value`.
 */
export const customControls = {
  has: (control: Element, value: JsonValue): boolean =>
    fillCallback(control)
      ? filledValues.get(control) === stringify(value)
      : isEqualOrText(Reflect.get(control, memberFor(control, value)), value),
  set(control: Element, value: JsonValue): void {
    const fill = fillCallback(control);
    if (fill) {
      filledValues.set(control, stringify(value));
      return void apply(fill, control, [stringify(value)]);
    }
    Reflect.set(control, memberFor(control, value), value);
    dispatchChoice(control);
  },
  state: customState,
  forget: (control: Element): void => void filledValues.delete(control),
  isSame: (a: CustomState, b: CustomState): boolean => isEqual(a.value, b.value) && isEqual(a.checked, b.checked),
  restore(control: Element, { value, checked }: CustomState): void {
    try {
      const current = customState(control);
      if (!isEqual(current?.value, value)) Reflect.set(control, 'value', value);
      if (!isEqual(current?.checked, checked)) Reflect.set(control, 'checked', checked);
      dispatchChoice(control);
    } catch (error) {
      reportError(error);
    }
  },
};

function fillCallback(control: Element): (() => unknown) | undefined {
  const fill = Reflect.get(control, 'toolFillCallback') as unknown;
  return typeof fill === 'function' ? (fill as () => unknown) : undefined;
}

/** A boolean sets `checked` if the element has this property; every other value sets `value`. */
const memberFor = (control: Element, value: JsonValue): string =>
  typeof value === 'boolean' && typeof Reflect.get(control, 'checked') === 'boolean' ? 'checked' : 'value';

/** Some elements store a number as text. */
const isEqualOrText = (current: unknown, value: JsonValue): boolean =>
  isEqual(current, value) || (typeof value === 'number' && current === String(value));

const isEqual = (a: unknown, b: unknown): boolean => stringify(a) === stringify(b);

export interface CustomState {
  readonly kind: 'custom';
  readonly value?: unknown;
  readonly checked?: unknown;
}

/** The state of a custom element; undefined for built-in elements and for elements whose getters throw. */
export function customState(control: Element): CustomState | undefined {
  if (!isCustomElementName(domTree.localName(control))) return undefined;
  try {
    return { kind: 'custom', value: Reflect.get(control, 'value'), checked: Reflect.get(control, 'checked') };
  } catch {
    return undefined; // the element may not have rendered yet
  }
}
