import type { ControlDescription, FormDescription } from '../../compiler/description.js';
import { hasSensitive, type ParameterError } from '../../compiler/input/parameter-error.js';
import { isOpenSelect } from '../../compiler/parameters/choices.js';
import { controlsOf, type Parameter } from '../../compiler/parameters/parameters.js';
import { preview, previewList } from '../../compiler/preview.js';
import { parametersOf } from '../../compiler/tool.js';
import { stringify } from '../../json.js';
import type { JsonValue } from '../../json-schema.js';
import { valuesOf } from '../forms/option-history.js';
import { SafeMap } from '../../platform/collections.js';
import { widgets } from '../adapters/widgets/widgets.js';
import { callException } from './call-error.js';
import { inputErrors } from './constraints.js';
import { isFilled, type FormReading } from './plan-fill.js';
import { optionsTimeoutOf, untilEnd, type RunningCall } from './running-call.js';

/** The time limit for the results of a search, as a multiple of the limit for other options. */
const searchRounds = 3;

/** Whether a unit of a parameter offers at most one non-empty value, like a select whose options a script adds. */
const isUnfinished = (form: FormDescription, parameter: Parameter): boolean =>
  valuesOf(form, parameter).some((values) => values.filter(Boolean).length <= 1);

interface Missing {
  readonly error: ParameterError;
  readonly parameter: Parameter;
  /** The index of the parameter's first control. */
  readonly index: number;
}

/** The parameters that do not offer a value of the input. */
function missingOptions({ form: { settings } }: RunningCall, { description, errors }: FormReading): readonly Missing[] {
  if (errors.length === 0) return [];
  const parameters = new SafeMap(
    parametersOf(description, settings.synthesis).map((each) => [each.name, each] as const),
  );
  return errors.flatMap((error) => {
    const parameter = error.code === 'not-offered' && parameters.get(error.parameter);
    return parameter ? { error, parameter, index: parameter.units[0].controls[0] as number } : [];
  });
}

/** Whether there is a sign that scripts add options: the options have changed before, or at most one exists. */
const isScripted = ({ form }: RunningCall, { description }: FormReading, { parameter }: Missing): boolean =>
  form.offered.hasChanged(parameter.name) || isUnfinished(description, parameter);

/** Whether a widget of the page may find an option that the select does not have. */
const hasSearch = (call: RunningCall, reading: FormReading, missing: Missing): boolean =>
  missing.parameter.units.length === 1 &&
  (isScripted(call, reading, missing) || hasOnlySelected(reading.description.controls[missing.index])) &&
  widgets.hasSearch(reading.controls[missing.index] as Element);

/** Whether a select has only selected options, as a select with a search has at first. */
const hasOnlySelected = (select: ControlDescription | undefined): boolean =>
  isOpenSelect(select) || (select?.options ?? []).every(({ selected }) => selected);

/**
 * Whether the page may still add all missing options and parameters after other controls are filled. Without a sign that
 * scripts add options, this requires a choice in an earlier control that is still to be set.
 */
export function mayAppear(call: RunningCall, reading: FormReading): boolean {
  const open = reading.steps.filter((step) => !isFilled(call, reading.controls, step));
  const firstChoice = open.find(({ set }) => set === 'selected' || set === 'checked')?.control ?? Infinity;
  const missing = missingOptions(call, reading);
  const searched = missing.filter((each) => hasSearch(call, reading, each));
  if (open.length + searched.length === 0 && reading.errors.some(({ code }) => code === 'unknown-parameter'))
    return false;
  return missing.every(
    (each) =>
      searched.includes(each) || (open.length > 0 && isScripted(call, reading, each)) || firstChoice < each.index,
  );
}

/** The index of the first control whose missing options may never be added, or Infinity. Filling ends before this control. */
export function endOfFilling(call: RunningCall, reading: FormReading): number {
  const doubtful = missingOptions(call, reading).filter(
    (missing) => !hasSearch(call, reading, missing) && !isScripted(call, reading, missing),
  );
  return doubtful.reduce((first, { index }) => Math.min(first, index), Infinity);
}

export const withValue = (input: JsonValue, name: string, value: JsonValue): JsonValue => ({
  ...(input as Record<string, JsonValue>),
  [name]: value,
});

/**
 * Searches the missing options of selects with the widgets of the page. Returns the input with the values that were
 * found, or undefined if there is nothing to search.
 * @throws {CallException} if a search does not find an option
 */
export async function searchOptions(
  call: RunningCall,
  input: JsonValue,
  reading: FormReading,
): Promise<JsonValue | undefined> {
  let result: JsonValue | undefined;
  for (const missing of missingOptions(call, reading)) {
    if (!hasSearch(call, reading, missing)) continue;
    const given = (input as Record<string, JsonValue>)[missing.parameter.name] as JsonValue;
    const values: JsonValue[] = [];
    for (const each of [given].flat()) values.push(await searchOption(call, input, reading, missing, toText(each)));
    const found = Array.isArray(given) ? values : (values[0] as JsonValue);
    result = withValue(result ?? input, missing.parameter.name, found);
  }
  return result;
}

const toText = (value: JsonValue): string => (typeof value === 'string' ? value : stringify(value));

async function searchOption(
  call: RunningCall,
  input: JsonValue,
  reading: FormReading,
  { error, parameter, index }: Missing,
  text: string,
): Promise<string> {
  if (valuesOf(reading.description, parameter)[0]?.includes(text)) return text;
  const options = { limitMs: searchRounds * optionsTimeoutOf(call), signal: call.signal };
  const found = await untilEnd(call, widgets.search(reading.controls[index] as Element, text, options));
  if ('value' in found) return found.value;
  const { results } = found;
  const hint =
    results.length > 0 ? `found ${previewList(results)}. Use one of them` : 'found nothing. Use another value';
  const isSecret = hasSensitive(controlsOf(reading.description, parameter.units[0]));
  const message = `Parameter ${preview(parameter.name)} does not offer ${preview(text)}: the page's search ${hint}.`;
  const errors = reading.errors.map((each) => (each === error && !isSecret ? { ...error, message } : each));
  throw callException(inputErrors(call, input, { ...reading, errors }));
}
