import type { JsonSchema, JsonValue } from '../../json-schema.js';
import { convert, type ConversionError } from './convert.js';
import type { ControlDescription, FormDescription } from '../description.js';
import { controlsOf, type Parameter } from '../parameters/parameters.js';
import { preview, previewList } from '../preview.js';
import { resolveSynthesis, type SynthesizeOptions } from '../profiles/synthesize.js';
import { makeParameter, parametersOf, type Synthesis } from '../tool.js';

/** A file as an agent gives it. */
export interface FileValue {
  readonly name: string;
  /** The empty string when it is not known. */
  readonly mediaType: string;
  /** In base64. */
  readonly content: string;
}

/** What one control is set to; `control` is its index in the form's `controls`. */
export type ControlAssignment = { readonly control: number } & (
  | { readonly set: 'value'; readonly value: string }
  | { readonly set: 'checked'; readonly checked: boolean }
  | { readonly set: 'selected'; /** Indices into the select's `options`. */ readonly options: readonly number[] }
  | { readonly set: 'files'; readonly files: readonly FileValue[] }
  | { readonly set: 'custom'; readonly value: JsonValue }
  | { readonly set: 'submitter' }
);

/** A setting with the name of the parameter that asks for it. */
export type ExecuteStep = ControlAssignment & { readonly parameter: string };

export type ExecuteErrorCode =
  'invalid-input' | 'unknown-parameter' | 'wrong-type' | 'wrong-count' | 'not-offered' | 'duplicate-value' | 'not-kept';

/** Why a parameter's value cannot be taken, so that an agent can correct it. */
export interface ParameterError<Code extends string = ExecuteErrorCode> {
  /** Its name, or the empty string for the input as a whole. */
  readonly parameter: string;
  readonly code: Code;
  readonly message: string;
  /** What it takes. */
  readonly expected: JsonSchema;
  /** The beginning of what was given, as JSON; never what can be a sensitive value. */
  readonly received: string;
}

export interface ExecuteSteps {
  /** In tree order. */
  readonly steps: readonly ExecuteStep[];
  /** One for each parameter that cannot be taken; the steps are those of the others. */
  readonly errors: readonly ParameterError[];
}

/**
 * Turns an agent's input into what to set on the form's controls. Nothing is rounded, clamped or guessed: what a control
 * would not keep is an error. Constraints (required, limits, patterns) are the form's own to check.
 *
 * @param input - any value that `JSON.parse` can give; it has to be an object with parameters as its members
 * @example
 * const { steps, errors } = executeSteps(description, { guests: 2 }, { profile: 'precise' });
 */
export const executeSteps = (form: FormDescription, input: JsonValue, options: SynthesizeOptions): ExecuteSteps =>
  stepsFor(form, input, resolveSynthesis(options));

/** The same for a profile that the caller has. */
export function stepsFor(form: FormDescription, input: JsonValue, synthesis: Synthesis): ExecuteSteps {
  const byName = new Map(parametersOf(form, synthesis).map((parameter) => [parameter.name, parameter]));
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return notAnObject(form, input);
  const names = [...byName.keys()];
  const results = Object.entries(input as Record<string, JsonValue>).map(([name, value]) => {
    const parameter = byName.get(name);
    return parameter ? stepsOf(form, parameter, value, synthesis) : unknownParameter(form, names, name, value);
  });
  return {
    steps: results.flatMap(({ steps }) => steps).sort((a, b) => a.control - b.control),
    errors: results.flatMap(({ errors }) => errors),
  };
}

function stepsOf(form: FormDescription, parameter: Parameter, value: JsonValue, synthesis: Synthesis): ExecuteSteps {
  const settings = settingsOf(form, parameter, value);
  if (!('code' in settings)) {
    return { steps: settings.map((setting) => ({ ...setting, parameter: parameter.name })), errors: [] };
  }
  const isSensitive = parameter.units.some((unit) => hasSensitive(controlsOf(form, unit)));
  const error: ParameterError = {
    parameter: parameter.name,
    code: settings.code,
    message: `Parameter ${preview(parameter.name)} ${isSensitive ? 'does not take this value' : settings.reason}.`,
    expected: makeParameter(form, parameter, synthesis).schema,
    received: isSensitive ? redacted : preview(value),
  };
  return { steps: [], errors: [error] };
}

export const redacted = '(not shown)';
export const hasSensitive = (controls: readonly ControlDescription[]): boolean =>
  controls.some(({ sensitive }) => sensitive);

/** What was given for nothing that the tool has can be meant for a sensitive control. */
const received = (form: FormDescription, value: JsonValue): string =>
  hasSensitive(form.controls) ? redacted : preview(value);

/** A parameter of several units takes a list with one value for each. */
function settingsOf(form: FormDescription, { units }: Parameter, value: JsonValue): readonly ControlAssignment[] | ConversionError {
  if (units.length === 1) return convert(form, units[0], value);
  if (!Array.isArray(value)) return { code: 'wrong-type', reason: `takes a list of ${units.length} values` };
  if (value.length !== units.length) {
    return { code: 'wrong-count', reason: `takes exactly ${units.length} values, one for each of its controls` };
  }
  const settings = units.map((unit, index) => convert(form, unit, value[index] as JsonValue));
  return settings.find((each) => 'code' in each) ?? settings.flatMap((each) => each as readonly ControlAssignment[]);
}

function unknownParameter(
  form: FormDescription,
  names: readonly string[],
  name: string,
  value: JsonValue,
): ExecuteSteps {
  const known = names.length > 0 ? `it has ${previewList(names)}` : 'it has none';
  return failure({
    parameter: name,
    code: 'unknown-parameter',
    message: `The tool has no parameter ${preview(name)}: ${known}.`,
    expected: { type: 'string', enum: names },
    received: received(form, value),
  });
}

const notAnObject = (form: FormDescription, input: JsonValue): ExecuteSteps =>
  failure({
    parameter: '',
    code: 'invalid-input',
    message: 'The input is not an object with the parameters as its members.',
    expected: { type: 'object' },
    received: received(form, input),
  });

const failure = (error: ParameterError): ExecuteSteps => ({ steps: [], errors: [error] });
