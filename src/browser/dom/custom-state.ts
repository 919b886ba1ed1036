import { isCustomElementName } from '../../compiler/html/elements.js';
import { domTree } from './dom-tree.js';

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
