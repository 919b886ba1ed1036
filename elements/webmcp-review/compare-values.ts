import type { ControlValue } from './control-value.js';

export const isSameValue = (one: ControlValue, other: ControlValue): boolean => keyOf(one) === keyOf(other);

/** A string that is equal for equal values. */
export function keyOf(value: ControlValue): string {
  switch (value.kind) {
    case 'selected':
      return JSON.stringify(value.chosen.map((each) => each.value));
    case 'files':
      return JSON.stringify(value.files.map(({ name, size, type, lastModified }) => [name, size, type, lastModified]));
    case 'custom':
      return `${customText(value.value)}\n${customText(value.checked)}`;
    case 'value':
      return value.value;
    case 'checked':
      return String(value.checked);
  }
}

/** The text of a property of a custom element. */
export function customText(value: unknown): string {
  try {
    return typeof value === 'string' ? value : value == null ? '' : String(JSON.stringify(value));
  } catch {
    return '';
  }
}
