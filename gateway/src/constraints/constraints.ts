import {
  type ConstraintCode,
  type ControlDescription,
  type ControlState,
  type FormDescription,
  type JsonValue,
  type OptionDescription,
  type Parameter,
  type ParameterError,
  type Synthesis,
  type TemporalType,
  applies,
  hasSensitive,
  isInTemporalRange,
  isMultiple,
  isMutable,
  matchesGrammar,
  isPlaceholder,
  makeParameter,
  redacted,
  numberRange,
  parametersByControl,
  parametersOf,
  parseNonNegativeInteger,
  parseNumber,
  parseTemporal,
  preview,
  redactForm,
  temporalTypes,
  temporalLimits,
} from 'webmcp-forms/headless';
import { matchPattern, newBudget, type PatternBudget } from './pattern.js';

interface Finding {
  readonly code: ConstraintCode;
  /** Follows the parameter's name in a sentence. */
  readonly says: string;
}

/** A form with what its controls hold. */
export interface FilledForm {
  readonly form: FormDescription;
  readonly states: readonly ControlState[];
  /** The indices of the controls that the input sets. */
  readonly set: ReadonlySet<number>;
  readonly submitter: number | undefined;
}

/** A control that does not satisfy its constraints. */
export interface BrokenConstraint extends Finding {
  readonly control: number;
}

/** https://html.spec.whatwg.org/#statically-validate-the-constraints */
export function brokenConstraints({ form, states, set, submitter }: FilledForm): readonly BrokenConstraint[] {
  const button = submitter === undefined ? undefined : form.controls[submitter];
  if (form.noValidate || button?.attributes.formnovalidate !== undefined) return [];
  const budget = newBudget();
  return form.controls.flatMap((control, index) => {
    const state = states[index];
    if (!state || !isMutable(control) || control.type === 'hidden' || isUnknown(control)) return [];
    const finding = findingOf({ form, states, control, index, isSet: set.has(index), budget }, state);
    return finding ? [{ ...finding, control: index }] : [];
  });
}

/** A manifest has no options of a sensitive select: its page is read before it is sent. */
export const isUnknown = ({ sensitive, type, options = [] }: ControlDescription): boolean =>
  sensitive === true && type.startsWith('select') && options.length === 0;

interface Subject {
  readonly form: FormDescription;
  readonly states: readonly ControlState[];
  readonly control: ControlDescription;
  readonly index: number;
  readonly isSet: boolean;
  readonly budget: PatternBudget;
}

function findingOf(subject: Subject, state: ControlState): Finding | undefined {
  const { control, isSet, budget } = subject;
  if (isMissing(subject, state)) return { code: 'value-missing', says: 'is required' };
  if (state.holds !== 'value' || state.value === '') return undefined;
  const { value } = state;
  if (control.type === 'number' || control.type === 'range') return wrongNumber(control, Number(parseNumber(value)));
  if (temporalTypes.has(control.type)) return wrongTime(control, control.type as TemporalType, value);
  return (isSet ? wrongLength(control, value) : undefined) ?? wrongText(control, value, budget);
}

function isMissing({ form, states, control, index }: Subject, state: ControlState): boolean {
  const { type, name, attributes } = control;
  if (type === 'radio') return isMissingRadio(form, states, index, name);
  if (attributes.required === undefined || !applies.required.has(type)) return false;
  switch (state.holds) {
    case 'value':
      return state.value === '';
    case 'checked':
      return !state.checked;
    case 'files':
      return state.files.length === 0;
    case 'selected':
      return !state.options.some((option) => isRealOption(control, control.options?.[option]));
    default:
      return false;
  }
}

const isRealOption = (select: ControlDescription, option: OptionDescription | undefined): boolean =>
  option !== undefined && !isPlaceholder(select, option);

/** One required radio button makes its group required; one finding is enough for it. */
function isMissingRadio(form: FormDescription, states: readonly ControlState[], index: number, name: string): boolean {
  const isMember = ({ type, name: other }: ControlDescription, at: number): boolean =>
    type === 'radio' && (name === '' ? at === index : other === name);
  const members = form.controls.flatMap((control, at) => (isMember(control, at) ? [{ control, at }] : []));
  const isRequired = members.some(({ control }) => control.attributes.required !== undefined);
  const isChecked = members.some(({ at }) => {
    const state = states[at];
    return state?.holds === 'checked' && state.checked;
  });
  return isRequired && !isChecked;
}

function wrongNumber(control: ControlDescription, number: number): Finding | undefined {
  const { minimum, maximum, step, base } = numberRange(control);
  if (minimum !== undefined && number < minimum) return { code: 'range-underflow', says: `takes at least ${minimum}` };
  if (maximum !== undefined && number > maximum) return { code: 'range-overflow', says: `takes at most ${maximum}` };
  if (step === 'any' || isMultiple(number, step, base)) return undefined;
  return { code: 'step-mismatch', says: `takes only steps of ${step} from ${base}` };
}

function wrongTime(control: ControlDescription, type: TemporalType, value: string): Finding | undefined {
  const number = parseTemporal(type, value) as number;
  const limits = temporalLimits(type, control);
  if (isInTemporalRange(type, number, limits)) return undefined;
  const { min: least = '', max: most = '' } = control.attributes;
  const { min = -Infinity, max = Infinity } = limits;
  const wraps = type === 'time' && min > max;
  if (!wraps && number < min) return { code: 'range-underflow', says: `takes nothing before ${preview(least)}` };
  if (!wraps && number > max) return { code: 'range-overflow', says: `takes nothing after ${preview(most)}` };
  if (isInTemporalRange(type, number, { ...limits, step: 'any' })) {
    return { code: 'step-mismatch', says: 'takes only values on its steps' };
  }
  return { code: 'range-underflow', says: `takes nothing between ${preview(most)} and ${preview(least)}` };
}

function wrongText(control: ControlDescription, value: string, budget: PatternBudget): Finding | undefined {
  const { type, attributes } = control;
  const isList = type === 'email' && attributes.multiple !== undefined;
  const texts = isList ? value.split(',') : [value];
  if (!texts.every((text) => isLegal(type, text)))
    return { code: 'type-mismatch', says: `takes ${kinds[type] ?? 'text'}` };
  return wrongPattern(control, texts, budget);
}

const kinds: Readonly<Record<string, string>> = { email: 'a valid e-mail address', url: 'an absolute URL' };

function isLegal(type: string, text: string): boolean {
  return type === 'url' ? URL.canParse(text) : type !== 'email' || (text.length <= 1000 && matchesGrammar(type, text));
}

/** Only what a person types, or an agent gives, can be too long or too short. */
function wrongLength({ type, attributes }: ControlDescription, { length }: string): Finding | undefined {
  if (!applies.length.has(type)) return undefined;
  const most = parseNonNegativeInteger(attributes.maxlength) ?? Infinity;
  const least = parseNonNegativeInteger(attributes.minlength) ?? 0;
  if (length > most) return { code: 'too-long', says: `takes at most ${most} characters, not ${length}` };
  return length < least ? { code: 'too-short', says: `takes at least ${least} characters, not ${length}` } : undefined;
}

/** A pattern that no automaton can decide is left to the site, which has to check it anyway. */
function wrongPattern(
  { type, attributes: { pattern } }: ControlDescription,
  texts: readonly string[],
  budget: PatternBudget,
): Finding | undefined {
  if (pattern === undefined || !applies.pattern.has(type)) return undefined;
  const answers = texts.map((text) => matchPattern(pattern, text, budget));
  if (answers.includes('too much')) return { code: 'pattern-mismatch', says: 'is too long to check its pattern' };
  if (!answers.includes('mismatch')) return undefined;
  return { code: 'pattern-mismatch', says: `takes only what matches its pattern ${preview(pattern)}` };
}

/** What a control has against its value; without an error where it is no parameter. */
export interface ConstraintError {
  readonly control: ControlDescription;
  readonly error?: ParameterError<ConstraintCode>;
}

/** The broken constraints as errors: one for each parameter. */
export function constraintErrors(
  { form }: FilledForm,
  broken: readonly BrokenConstraint[],
  input: JsonValue,
  synthesis: Synthesis,
): readonly ConstraintError[] {
  const shown = redactForm(form, synthesis.sensitive);
  const parameters = parametersByControl(parametersOf(shown, synthesis));
  const told = new Set<Parameter>();
  return broken.flatMap(({ control: index, code, says }): readonly ConstraintError[] => {
    const control = form.controls[index] as ControlDescription;
    const parameter = parameters.get(index);
    if (!parameter) return [{ control }];
    if (told.has(parameter)) return [];
    told.add(parameter);
    const { name } = parameter;
    const received = given(input, name, hasSensitive([control]));
    const expected = makeParameter(shown, parameter, synthesis).schema;
    const message = `Parameter ${preview(name)} ${control.sensitive ? 'does not take this value' : says}.`;
    return [{ control, error: { parameter: name, code, message, expected, received } }];
  });
}

function given(input: JsonValue, name: string, isSensitive: boolean): string {
  if (!Object.hasOwn(input as object, name)) return '';
  return isSensitive ? redacted : preview((input as Readonly<Record<string, JsonValue>>)[name] as JsonValue);
}
