import { type FormDescription, type JsonValue, type Synthesis, parametersOf, preview } from 'webmcp-forms/headless';
import type { InputError } from '../gateway-error.js';

/** How many names that no parameter has are told one by one. An input can have as many as its request is long. */
export const mostUnknown = 100;

/** How many of them are told with a list of what the tool has. */
const mostLists = 20;

export interface BoundedInput {
  readonly input: JsonValue;
  /** How many unknown names it has lost. */
  readonly untold: number;
}

/** An input with all that is a parameter, and with no more unknown names than are told. */
export function withoutExcess(form: FormDescription, input: JsonValue, synthesis: Synthesis): BoundedInput {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const names = isObject ? Object.keys(input) : [];
  if (names.length <= mostUnknown) return { input, untold: 0 };
  const parameters = new Set(parametersOf(form, synthesis).map(({ name }) => name));
  let unknown = 0;
  const kept = names.filter((name) => parameters.has(name) || ++unknown <= mostUnknown);
  const members = input as Readonly<Record<string, JsonValue>>;
  const bounded = Object.fromEntries(kept.map((name) => [name, members[name] as JsonValue]));
  return { input: bounded, untold: names.length - kept.length };
}

/** Errors of which only the first of many unknown names are told with all that the tool has. */
export function withFewLists(errors: readonly InputError[]): readonly InputError[] {
  let unknown = 0;
  return errors.map((error) =>
    error.code === 'unknown-parameter' && ++unknown > mostLists
      ? { ...error, message: `The tool has no parameter ${preview(error.parameter)}.`, expected: { type: 'string' } }
      : error,
  );
}
