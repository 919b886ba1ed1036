import type { JsonValue } from '../../json-schema.js';
import type { FormDescription } from '../description.js';
import { controlsOf, type Parameter } from '../parameters/parameters.js';
import { preview, previewList } from '../preview.js';
import { resolveSynthesis, type SynthesizeOptions } from '../profiles/synthesize.js';
import { makeParameter, parametersOf, type Synthesis } from '../tool.js';
import { acceptsNull, convert, type ConversionError, type ConvertOptions } from './convert.js';
import { expectedText } from './expected-text.js';
import { hasSensitive, redacted, type ParameterError } from './parameter-error.js';

/** An assignment and the name of its parameter. */
export type ExecuteStep = ControlAssignment & { readonly parameter: string };

export interface ExecuteSteps {
  /** In tree order. */
  readonly steps: readonly ExecuteStep[];
  /** One for each invalid parameter. The steps assign only the valid parameters. */
  readonly errors: readonly ParameterError[];
}

/**
 * Converts an agent's input to the values of the form's controls. Nothing is rounded, clamped or guessed: a value that
 * a control would change is an error. Constraints (required, limits, patterns) are left to constraint validation.
 *
 * @param input - an object with the parameters as its members. Any other JSON value is reported as an error
 * @example
 * const { steps, errors } = planInput(description, { guests: 2 }, { profile: 'precise' });
 */
export const planInput = (form: FormDescription, input: JsonValue, options: SynthesizeOptions): ExecuteSteps =>
  stepsFor(form, input, resolveSynthesis(options));

/** The maximum number of errors that list all parameter names: an input may have many unknown names. */
const maxListings = 20;

/** Expects a resolved profile, so that a bundle contains only the profile that it uses. */
export function stepsFor(
  form: FormDescription,
  input: JsonValue,
  synthesis: Synthesis,
  options: ConvertOptions = {},
): ExecuteSteps {
  const byName = new Map(parametersOf(form, synthesis).map((parameter) => [parameter.name, parameter]));
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return invalidInput(form, input);
  const names = [...byName.keys()];
  let unknownCount = 0;
  const results = Object.entries(input as Record<string, JsonValue>).map(([name, value]) => {
    const parameter = byName.get(name);
    if (!parameter) return unknownParameter(form, unknownCount++ < maxListings ? names : undefined, name, value);
    return parameterSteps(form, parameter, value, synthesis, options);
  });
  return {
    steps: results.flatMap(({ steps }) => steps).sort((a, b) => a.control - b.control),
    errors: results.flatMap(({ errors }) => errors),
  };
}

function parameterSteps(
  form: FormDescription,
  parameter: Parameter,
  value: JsonValue,
  synthesis: Synthesis,
  options: ConvertOptions,
): ExecuteSteps {
  const { name, units } = parameter;
  const isNull = value === null && !units.some((unit) => acceptsNull(form, unit));
  const { schema, required } = isNull ? makeParameter(form, parameter, synthesis) : {};
  // Clients whose schemas require all properties send null for omitted ones.
  if (isNull && !required) return { steps: [], errors: [] };
  const converted = convertUnits(form, parameter, value, options);
  if (!('code' in converted)) return { steps: converted.map((each) => ({ ...each, parameter: name })), errors: [] };
  const isSensitive = units.some((unit) => hasSensitive(controlsOf(form, unit)));
  return failure({
    parameter: name,
    code: converted.code,
    message: `Parameter ${preview(name)} ${isSensitive ? `must be ${expectedText(form, units[0])}` : converted.reason}.`,
    expected: schema ?? makeParameter(form, parameter, synthesis).schema,
    received: isSensitive ? redacted : preview(value),
  });
}

/** A parameter with several units expects a list with one value for each unit. */
function convertUnits(
  form: FormDescription,
  { units }: Parameter,
  value: JsonValue,
  options: ConvertOptions,
): readonly ControlAssignment[] | ConversionError {
  if (units.length === 1) return convert(form, units[0], value, options);
  if (!Array.isArray(value)) return { code: 'wrong-type', reason: `must be a list of ${units.length} values` };
  if (value.length !== units.length) {
    return { code: 'wrong-count', reason: `must be a list of exactly ${units.length} values, one for each control` };
  }
  const results = units.map((unit, index) => convert(form, unit, value[index] as JsonValue, options));
  const failed = results.findIndex((each) => 'code' in each);
  const error = results[failed] as ConversionError | undefined;
  if (error) return { ...error, reason: `has an invalid value ${failed + 1}, which ${error.reason}` };
  return results.flatMap((each) => each as readonly ControlAssignment[]);
}

function unknownParameter(
  form: FormDescription,
  names: readonly string[] | undefined,
  name: string,
  value: JsonValue,
): ExecuteSteps {
  const known = names && names.length > 0 ? ` Use one of ${previewList(names)}.` : '';
  return failure({
    parameter: name,
    code: 'unknown-parameter',
    message: `The tool has no parameter ${preview(name)}.${known}`,
    expected: { type: 'string', ...(names && { enum: names }) },
    received: receivedPreview(form, value),
  });
}

const invalidInput = (form: FormDescription, input: JsonValue): ExecuteSteps =>
  failure({
    parameter: '',
    code: 'invalid-input',
    message: 'The input is not an object with the parameters as its members.',
    expected: { type: 'object' },
    received: receivedPreview(form, input),
  });

/** The beginning of a value, redacted if the form has a sensitive control: the value may be meant for it. */
const receivedPreview = (form: FormDescription, value: JsonValue): string =>
  hasSensitive(form.controls) ? redacted : preview(value);

const failure = (error: ParameterError): ExecuteSteps => ({ steps: [], errors: [error] });

/** A file in an agent's input. */
export interface FileValue {
  readonly name: string;
  /** Empty if unknown. */
  readonly mediaType: string;
  /** In base64. */
  readonly content: string;
}

/** The value to set on one control; `control` is its index in the form's `controls`. */
export type ControlAssignment = { readonly control: number } & (
  | { readonly set: 'value'; readonly value: string }
  | { readonly set: 'checked'; readonly checked: boolean }
  | { readonly set: 'selected'; /** Indices into the select's `options`. */ readonly options: readonly number[] }
  | { readonly set: 'files'; readonly files: readonly FileValue[] }
  | { readonly set: 'custom'; readonly value: JsonValue }
  | { readonly set: 'submitter' }
);
