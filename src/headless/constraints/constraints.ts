import type { ControlDescription, FormDescription } from '../../compiler/description.js';
import { isNearMultiple } from '../../compiler/html/decimal.js';
import { applies, temporalTypes } from '../../compiler/html/elements.js';
import { parseNumber, parseTemporal, type TemporalType } from '../../compiler/html/microsyntaxes.js';
import type { ControlState } from '../../compiler/input/form-state.js';
import {
  constraintMessage,
  hasSensitive,
  redacted,
  type ConstraintCode,
  type ParameterError,
} from '../../compiler/input/parameter-error.js';
import { isPlaceholder } from '../../compiler/parameters/choices.js';
import { numberRange, parseNonNegativeInteger } from '../../compiler/parameters/numbers.js';
import { isMutable, parametersByControl, type Parameter } from '../../compiler/parameters/parameters.js';
import { isInTemporalRange, temporalLimits } from '../../compiler/parameters/temporal.js';
import { preview } from '../../compiler/preview.js';
import { matchesGrammar } from '../../compiler/profiles/precise/value-schemas.js';
import { redactForm } from '../../compiler/profiles/redact.js';
import { makeParameter, parametersOf, type Synthesis } from '../../compiler/tool.js';
import type { JsonValue } from '../../json-schema.js';
import { percentDecode, urlOf } from '../../site/pages/page-path.js';
import { checkCustomValue } from './custom-value.js';
import { matchPattern, maxCallSteps, WorkExceededError, type WorkBudget } from './pattern.js';

export interface FilledForm {
  readonly form: FormDescription;
  readonly states: readonly ControlState[];
  /** The indices of the controls that the input or the configuration sets. */
  readonly set: ReadonlySet<number>;
  readonly submitter: number | undefined;
  /** Whether the input selects the submitter. Otherwise, the submitter is the default button. */
  readonly isSubmitterChosen?: boolean;
}

/** A violated constraint. The problem, if any, is the predicate of a sentence about the parameter. */
type Violation = readonly [code: ConstraintCode, problem?: string];

type InvalidControl = readonly [control: number, ...Violation];

interface Checking {
  readonly budget: WorkBudget;
  /** Whether controls that are not set are checked only for missing values. */
  readonly isLenient: boolean;
}

/** Stops when the budget is exceeded. https://html.spec.whatwg.org/#statically-validate-the-constraints */
function invalidControls(filled: FilledForm, checking: Checking): readonly InvalidControl[] {
  const missingRadios = missingRadioGroups(filled);
  const invalid: InvalidControl[] = [];
  for (const index of filled.form.controls.keys()) {
    try {
      const violation = violationOf(filled, index, missingRadios, checking);
      if (violation) invalid.push([index, ...violation]);
    } catch (error) {
      if (!(error instanceof WorkExceededError)) throw error;
      return [...invalid, [index, 'custom-error', tooMuchWork]];
    }
  }
  return invalid;
}

const tooMuchWork = `could not be checked, because the checks of this call take more than ${maxCallSteps} steps. Send shorter values`;

function violationOf(
  { form, states, set }: FilledForm,
  index: number,
  missingRadios: ReadonlySet<string>,
  { budget, isLenient }: Checking,
): Violation | undefined {
  const [control, state] = [form.controls[index], states[index]];
  if (!control || !state || !isMutable(control) || control.type === 'hidden' || hasUnknownOptions(control))
    return undefined;
  const isSet = set.has(index);
  if (control.prefilled && !isSet) return undefined; // the page has its value, which the manifest omits
  if (isMissing(control, state, missingRadios)) return ['value-missing'];
  return isLenient && !isSet ? undefined : checkValue(control, state, isSet, budget);
}

/** Whether the options of a select are unknown: manifests omit the options of sensitive selects. */
export const hasUnknownOptions = ({ sensitive, type, options = [] }: ControlDescription): boolean =>
  sensitive === true && type.startsWith('select') && options.length === 0;

function isMissing(control: ControlDescription, state: ControlState, missingRadios: ReadonlySet<string>): boolean {
  const isRequired = control.attributes.required !== undefined;
  if (control.type === 'radio' && control.name !== '') return missingRadios.has(control.name);
  if (!isRequired || !applies.required.has(control.type)) return false;
  switch (state.holds) {
    case 'value':
      return state.value === '';
    case 'checked':
      return !state.checked;
    case 'files':
      return state.files.length === 0;
    case 'selected':
      return !state.options.some((index) => {
        const option = control.options?.[index];
        return option !== undefined && !isPlaceholder(control, option);
      });
    default:
      return false;
  }
}

/** The names of radio groups without a checked button. A required radio button makes its group required. */
function missingRadioGroups({ form, states }: FilledForm): ReadonlySet<string> {
  const [required, checked] = [new Set<string>(), new Set<string>()];
  for (const [index, { type, name, attributes }] of form.controls.entries()) {
    if (type !== 'radio') continue;
    const state = states[index];
    if (attributes.required !== undefined) required.add(name);
    if (state?.holds === 'checked' && state.checked) checked.add(name);
  }
  return new Set([...required].filter((name) => !checked.has(name)));
}

function checkValue(
  control: ControlDescription,
  state: ControlState,
  isSet: boolean,
  budget: WorkBudget,
): Violation | undefined {
  if (state.holds === 'custom' && control.type === 'custom')
    return isSet ? checkCustomValue(control, state.value, budget) : undefined;
  if (state.holds !== 'value' || state.value === '') return undefined;
  const { value } = state;
  const { type } = control;
  if (type === 'number' || type === 'range') return checkNumber(control, Number(parseNumber(value)));
  if (temporalTypes.has(type)) return checkTemporal(control, type as TemporalType, value);
  return (isSet ? checkLength(control, value) : undefined) ?? checkText(control, value, budget);
}

function checkNumber(control: ControlDescription, number: number): Violation | undefined {
  const { minimum, maximum, step, base } = numberRange(control);
  if (minimum !== undefined && number < minimum) return ['range-underflow'];
  if (maximum !== undefined && number > maximum) return ['range-overflow'];
  return step === 'any' || isNearMultiple(number, step, base) ? undefined : ['step-mismatch'];
}

function checkTemporal(control: ControlDescription, type: TemporalType, value: string): Violation | undefined {
  const number = parseTemporal(type, value) as number;
  const limits = temporalLimits(type, control);
  if (isInTemporalRange(type, number, limits)) return undefined;
  if (isInTemporalRange(type, number, { ...limits, step: 'any' })) return ['step-mismatch'];
  const { min = -Infinity, max = Infinity } = limits;
  return number < min || (type === 'time' && min > max) ? ['range-underflow'] : ['range-overflow'];
}

function checkText(control: ControlDescription, value: string, budget: WorkBudget): Violation | undefined {
  const { type, attributes } = control;
  const texts = type === 'email' && attributes.multiple !== undefined ? value.split(',') : [value];
  const isValid = textTypes[type];
  for (const text of texts) {
    if (isValid && !isValid(text)) return ['type-mismatch'];
  }
  return isMismatch(control, texts, budget) ? ['pattern-mismatch'] : undefined;
}

const textTypes: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => text.length <= 1000 && matchesGrammar('email', text),
  url: (text) => isShortHost(text) && urlOf(text) !== undefined,
};

const maxHostLength = 255;

/** https://url.spec.whatwg.org/#special-scheme */
const special = /^[\0- ]*(?:https?|wss?|ftp|file):[/\\]*([^/\\?#]*)/i;

/**
 * Whether the host of a URL is short enough to be converted to ASCII, which takes quadratic time.
 * Deviates from the spec: hosts that exceed the length limit of DNS names are invalid.
 */
function isShortHost(text: string): boolean {
  const [, authority = ''] = special.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return percentDecode(host).replace(/:\d*$/, '').length <= maxHostLength;
}

/** Checks the length of a value that was set. As in a browser, values that were not set can have any length. */
function checkLength({ type, attributes }: ControlDescription, { length }: string): Violation | undefined {
  if (!applies.length.has(type)) return undefined;
  const max = parseNonNegativeInteger(attributes.maxlength) ?? Infinity;
  const min = parseNonNegativeInteger(attributes.minlength) ?? 0;
  if (length > max) return ['too-long'];
  return length < min ? ['too-short'] : undefined;
}

/** Whether a value violates a pattern. The site validates unsupported patterns. */
const isMismatch = (
  { type, attributes: { pattern } }: ControlDescription,
  texts: readonly string[],
  budget: WorkBudget,
): boolean =>
  pattern !== undefined &&
  applies.pattern.has(type) &&
  texts.some((text) => matchPattern(pattern, text, budget) === 'mismatch');

/** The error of an invalid control. Controls that are not part of a parameter have no error. */
interface ConstraintError {
  readonly control: ControlDescription;
  readonly error?: ParameterError<ConstraintCode>;
}

/**
 * Returns one error per parameter. The constraints of parameters also apply to forms with `novalidate`, because scripts
 * validate most of these forms. They do not apply if the input selects a button with `formnovalidate`.
 */
export function constraintErrors(
  filled: FilledForm,
  input: JsonValue,
  synthesis: Synthesis,
  budget: WorkBudget,
): readonly ConstraintError[] {
  const { form, submitter } = filled;
  const isButtonExempt = submitter !== undefined && form.controls[submitter]?.attributes.formnovalidate !== undefined;
  if (isButtonExempt && filled.isSubmitterChosen) return [];
  const isLenient = form.noValidate === true || isButtonExempt;
  const invalid = invalidControls(filled, { budget, isLenient });
  if (invalid.length === 0) return [];
  const redactedForm = redactForm(form, synthesis.sensitive);
  const parameters = parametersByControl(parametersOf(redactedForm, synthesis));
  const reported = new Set<Parameter>();
  return invalid.flatMap(([index, code, problem]): readonly ConstraintError[] => {
    const control = form.controls[index] as ControlDescription;
    const parameter = parameters.get(index);
    if (!parameter) return isLenient && problem !== tooMuchWork ? [] : [{ control }];
    if (reported.has(parameter)) return [];
    reported.add(parameter);
    const { name } = parameter;
    const received = previewInput(input, name, hasSensitive([control]));
    const expected = makeParameter(redactedForm, parameter, synthesis).schema;
    const message = problem
      ? `Parameter ${preview(name)} ${problem}.`
      : constraintMessage(redactedForm, parameter, index, code);
    return [{ control, error: { parameter: name, code, message, expected, received } }];
  });
}

function previewInput(input: JsonValue, name: string, isSensitive: boolean): string {
  if (!Object.hasOwn(input as object, name)) return '';
  return isSensitive ? redacted : preview((input as Readonly<Record<string, JsonValue>>)[name] as JsonValue);
}
