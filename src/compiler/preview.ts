import type { JsonValue } from '../json-schema.js';
import { stringify } from '../json.js';

/** The beginning of a value as JSON, short enough for a message; no more of the value is read than that. */
export function preview(value: JsonValue, length = 100): string {
  let text = '';
  for (const piece of pieces(value, length)) {
    text += piece;
    if (text.length > length) return `${text.slice(0, length)}...`;
  }
  return text;
}

function* pieces(value: JsonValue, length: number): Generator<string, void> {
  if (Array.isArray(value)) {
    yield '[';
    for (const [index, each] of (value as readonly JsonValue[]).entries()) {
      if (index > 0) yield ',';
      yield* pieces(each, length);
    }
    yield ']';
  } else if (typeof value === 'object' && value !== null) {
    yield* members(value as Readonly<Record<string, JsonValue>>, length);
  } else {
    yield stringify(typeof value === 'string' ? value.slice(0, length) : value);
  }
}

function* members(object: Readonly<Record<string, JsonValue>>, length: number): Generator<string, void> {
  yield '{';
  for (const [index, name] of Object.keys(object).entries()) {
    yield `${index > 0 ? ',' : ''}${stringify(name.slice(0, length))}:`;
    yield* pieces(object[name] as JsonValue, length);
  }
  yield '}';
}

const shown = 20;

/** The first of some texts, quoted and separated by commas, and how many more there are. */
export function previewList(texts: readonly string[]): string {
  const more = texts.length > shown ? `, and ${texts.length - shown} more` : '';
  return `${texts
    .slice(0, shown)
    .map((text) => preview(text))
    .join(', ')}${more}`;
}
