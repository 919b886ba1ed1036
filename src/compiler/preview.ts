import type { JsonValue } from '../json-schema.js';
import { stringify } from '../json.js';

/** The beginning of a value as JSON, for messages. Reads only as much of the value as it returns. */
export function preview(value: JsonValue, length = 100): string {
  let text = '';
  for (const piece of pieces(value, length)) {
    text += piece;
    if (text.length > length) return `${text.slice(0, length)}...`;
  }
  return text;
}

function* pieces(value: JsonValue, length: number): Generator<string, void> {
  if (typeof value !== 'object' || value === null) {
    yield stringify(typeof value === 'string' ? value.slice(0, length) : value);
    return;
  }
  const isArray = Array.isArray(value);
  yield isArray ? '[' : '{';
  let separator = '';
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    yield isArray ? separator : `${separator}${stringify((key as string).slice(0, length))}:`;
    yield* pieces((value as Readonly<Record<string | number, JsonValue>>)[key] as JsonValue, length);
    separator = ',';
  }
  yield isArray ? ']' : '}';
}

const maxListLength = 20;

/** The first values as JSON, separated by commas, and the number of omitted values. */
export function previewList(values: readonly JsonValue[]): string {
  const omitted = values.length - maxListLength;
  const shown = values.slice(0, maxListLength).map((value) => preview(value));
  return `${shown.join(', ')}${omitted > 0 ? `, and ${omitted} more` : ''}`;
}
