import type { Held } from './held.js';

/** Whether two states are the same to a person. */
export const isSame = (a: Held, b: Held): boolean => keyOf(a) === keyOf(b);

/** What makes two states differ. */
export function keyOf(held: Held): string {
  switch (held.kind) {
    case 'selected':
      return JSON.stringify(held.chosen.map(({ value }) => value));
    case 'files':
      return JSON.stringify(held.files.map(({ name, size, type, lastModified }) => [name, size, type, lastModified]));
    case 'custom':
      return `${textOf(held.value)}\n${textOf(held.checked)}`;
    case 'value':
      return held.value;
    case 'checked':
      return String(held.checked);
  }
}

/** The text of what a custom element holds. */
export function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : value == null ? '' : String(JSON.stringify(value));
  } catch {
    return '';
  }
}
