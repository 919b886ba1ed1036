import { toolNamePattern } from '../tool-name.js';
import type { ControlDescription, FormDescription } from './description.js';
import { applies, temporalTypes } from './html/elements.js';
import type { TemporalType } from './html/microsyntaxes.js';
import { isValidPattern, unicodePattern } from './html/pattern.js';
import { collapseWhitespace } from './html/text.js';
import { isTooLarge } from './limits.js';
import { excluded, limitFinding, secondaryFirst, unknownSubmitter } from './findings.js';
import { customSchema } from './parameters/custom-schema.js';
import { numberRange, numberValues, parseNonNegativeInteger } from './parameters/numbers.js';
import {
  mutableControls,
  parametersByControl,
  takesValue,
  unitOf,
  isSubmitButton,
  type IndexedControl,
} from './parameters/parameters.js';
import { temporalLimits, temporalValues } from './parameters/temporal.js';
import { isOmissible } from './profiles/precise/required.js';
import { resolveSynthesis, synthesizeParameters, type Profile, type SynthesizeOptions } from './profiles/synthesize.js';
import type { SynthesizedParameter } from './tool.js';
import type { SourceLocation } from './tree.js';

export type DiagnosticCode =
  | 'missing-tool-name'
  | 'invalid-tool-name'
  | 'missing-tool-description'
  | 'duplicate-tool-name'
  | 'missing-submit-button'
  | 'missing-parameter-name'
  | 'missing-parameter-description'
  | 'duplicate-parameter-name'
  | 'unreachable-required-control'
  | 'invalid-pattern'
  | 'unsupported-pattern'
  | 'invalid-parameter-schema'
  | 'no-legal-value'
  | 'no-options'
  | 'excluded-trap'
  | 'excluded-captcha'
  | 'excluded-secret'
  | 'captcha-in-form'
  | 'secondary-first-button'
  | 'unknown-submitter'
  | 'limit-exceeded'
  | ToolElementCode;

/** The codes that `diagnose` does not report: first those for `<webmcp-tool>`. */
type ToolElementCode =
  | 'form-not-found'
  | 'form-is-annotated'
  | 'form-is-taken'
  | 'unknown-control'
  | 'invalid-param'
  | 'invalid-schema'
  | 'ignored-param'
  | 'unknown-profile'
  | 'unknown-sensitive'
  | 'unknown-response'
  /** This code and the following ones are not about a `<webmcp-tool>`. */
  | 'control-outside-form'
  | 'unreadable-page'
  | 'session-dependent-tool';

/** A mistake of the author, or information for the author. It has a location if the front end reads source text. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  /**
   * An `error` breaks a tool or one of its parameters. An `info` is not a mistake: it reports how the markup is
   * interpreted.
   */
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly tool?: string;
  /** The `name` of the control. */
  readonly parameter?: string;
  readonly location?: SourceLocation;
}

type Finding = Pick<Diagnostic, 'code' | 'severity' | 'message'>;
type Check<Subject> = (subject: Subject) => Finding | false;

interface FormSubject {
  readonly form: FormDescription;
  readonly profile: Profile;
  readonly parameters: ReadonlyMap<number, SynthesizedParameter>;
  readonly collisions: ReadonlySet<number>;
}

type ControlSubject = FormSubject & IndexedControl;

/**
 * The diagnostics of a form: first those of the form and its limits, then those of its controls in tree order.
 *
 * @param parameters - the form's parameters, if they have been synthesized already
 */
export function diagnose(
  form: FormDescription,
  options: SynthesizeOptions,
  parameters = synthesizeParameters(form, options),
): readonly Diagnostic[] {
  const { profile } = resolveSynthesis(options);
  const byControl = parametersByControl(parameters);
  const collisions = profile.collisions(form);
  const found: Diagnostic[] = [];
  const tool = form.tool.name;
  const report = (finding: Finding, parameter: string | undefined, location: SourceLocation | undefined): void => {
    found.push({
      ...finding,
      ...(tool && { tool }),
      ...(parameter && { parameter }),
      ...(location && { location }),
    });
  };
  const isComplete = !isTooLarge(form);
  if (isComplete)
    for (const finding of run(formChecks, { form, profile, parameters: byControl, collisions }))
      report(finding, undefined, form.location);
  for (const limit of form.limits ?? []) report(limitFinding(limit), limit.parameter, limit.location);
  if (!isComplete) return found;
  for (const { control, index } of mutableControls(form)) {
    for (const finding of run(controlChecks, { form, profile, parameters: byControl, collisions, control, index }))
      report(finding, control.name, control.location);
  }
  return found;
}

function run<Subject>(checks: readonly Check<Subject>[], subject: Subject): readonly Finding[] {
  const findings: Finding[] = [];
  for (const check of checks) {
    const finding = check(subject);
    if (finding !== false) findings.push(finding);
  }
  return findings;
}

const error = (code: DiagnosticCode, message: string): Finding => ({ code, severity: 'error', message });
const warning = (code: DiagnosticCode, message: string): Finding => ({ code, severity: 'warning', message });
const info = (code: DiagnosticCode, message: string): Finding => ({ code, severity: 'info', message });

const formChecks: readonly Check<FormSubject>[] = [
  ({ form: { tool } }) =>
    !tool.name && error('missing-tool-name', 'The form has no toolname and is not a tool. Add one.'),
  ({ form: { tool } }) =>
    Boolean(tool.name) &&
    !toolNamePattern.test(tool.name ?? '') &&
    error(
      'invalid-tool-name',
      'The toolname is invalid. Use 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop.',
    ),
  ({ form: { tool } }) =>
    tool.description === null
      ? error('missing-tool-description', 'The form has no tooldescription and is not a tool. Describe what it does.')
      : collapseWhitespace(tool.description) === '' &&
        warning('missing-tool-description', 'The tooldescription is empty. Describe what the tool does.'),
  ({ form }) =>
    !form.tool.autosubmit &&
    !form.controls.some(isSubmitButton) &&
    error('missing-submit-button', 'The form has no enabled submit button. Add one, or toolautosubmit.'),
  ({ form, profile }) =>
    form.captcha !== undefined &&
    profile.excludesByMeaning &&
    info('captcha-in-form', 'A script loads a captcha in the form, so that only a user can submit it.'),
  ({ form }) => form.unknownSubmitter !== undefined && unknownSubmitter(form.unknownSubmitter),
];

const controlChecks: readonly Check<ControlSubject>[] = [
  (subject) => !subject.parameters.has(subject.index) && excluded(subject.control),
  ({ form, control, profile }) => control.preferred === true && secondaryFirst(form, control, profile),
  ({ control }) =>
    takesValue(control) &&
    control.name === '' &&
    !isRequired(control) &&
    !control.sensitive && // often nameless, so that it is not submitted
    warning(
      'missing-parameter-name',
      'The control has no name, so agents cannot fill it, and the browser does not submit it. Add a name.',
    ),
  ({ form, control, index, parameters }) =>
    takesValue(control) &&
    isRequired(control) &&
    !form.noValidate &&
    !parameters.has(index) &&
    !isOmissible(form, unitOf([{ control, index }])) &&
    unreachable(control),
  ({ control, index, collisions }) =>
    takesValue(control) &&
    control.name !== '' &&
    collisions.has(index) &&
    warning('duplicate-parameter-name', 'Several controls have this name, so Chromium has no parameter for them.'),
  (subject) => takesValue(subject.control) && undescribed(subject),
  ({ control: { type, attributes } }) =>
    attributes.pattern !== undefined &&
    applies.pattern.has(type) &&
    !isValidPattern(attributes.pattern) &&
    warning('invalid-pattern', 'The pattern is not a regular expression with the flag v, so browsers ignore it.'),
  ({ control: { type, attributes }, profile }) =>
    attributes.pattern !== undefined &&
    !profile.copiesPatterns &&
    applies.pattern.has(type) &&
    isValidPattern(attributes.pattern) &&
    unicodePattern(attributes.pattern) === undefined &&
    warning('unsupported-pattern', 'JSON Schema cannot express the pattern, which needs the flag v.'),
  ({ control }) =>
    control.type === 'custom' &&
    customSchema(control) === undefined &&
    error('invalid-parameter-schema', 'The toolparamschema is not a JSON Schema, so the control is not a parameter.'),
  ({ control }) => {
    const reason = emptyRangeReason(control);
    return reason !== undefined && error('no-legal-value', `No value satisfies the control: ${reason}.`);
  },
  ({ control }) =>
    control.type.startsWith('select') &&
    (control.options ?? []).every((option) => option.disabled) &&
    warning('no-options', 'The select has no enabled option.'),
];

const isRequired = ({ type, attributes }: ControlDescription): boolean =>
  attributes.required !== undefined && applies.required.has(type);

/** Reports a parameter without a description in the page or in the schema of a custom element. */
function undescribed({ control, index, parameters, profile }: ControlSubject): Finding | false {
  const code = 'missing-parameter-description';
  const parameter = parameters.get(index);
  const unit = parameter?.units[0];
  if (!unit || unit.controls[0] !== index || parameter.words.length > 0) return false;
  if (control.type === 'custom' && customSchema(control)?.description) return false;
  const { readsLegends } = profile;
  const isGroup = unit.kind === 'checkboxes' || (unit.kind === 'radios' && (readsLegends || unit.controls.length > 1));
  if (!isGroup) return warning(code, 'Nothing describes the control. Add a label or a toolparamdescription.');
  const legend = readsLegends ? 'a legend or ' : '';
  return warning(code, `Nothing describes the group. Put it in a fieldset with ${legend}a toolparamdescription.`);
}

function unreachable({ name, sensitive, captcha }: ControlDescription): Finding {
  const code = 'unreachable-required-control';
  if (sensitive || captcha)
    return warning(code, 'Only the user can fill the required control. The agent waits for the user.');
  if (name === '') return error(code, 'The required control has no name, so agents cannot fill it. Add a name.');
  return error(code, 'The required control is not a parameter in this profile, so every call fails.');
}

/** The reason why no value can be valid; undefined if a value can be valid. */
function emptyRangeReason(control: ControlDescription): string | undefined {
  if (control.type === 'number') return emptyNumberRange(control);
  if (temporalTypes.has(control.type)) return emptyTemporalRange(control.type as TemporalType, control);
  return applies.length.has(control.type) ? emptyLengthRange(control) : undefined;
}

const noStep = 'no step is between its min and its max';

function emptyNumberRange(control: ControlDescription): string | undefined {
  const range = numberRange(control);
  const { minimum = -Infinity, maximum = Infinity } = range;
  if (minimum > maximum) return 'its min is above its max';
  return numberValues(range, 1)?.length === 0 ? noStep : undefined;
}

function emptyTemporalRange(type: TemporalType, control: ControlDescription): string | undefined {
  const limits = temporalLimits(type, control);
  const { min = -Infinity, max = Infinity } = limits;
  if (min > max && type !== 'time') return 'its min is after its max';
  return temporalValues(type, limits, 1)?.length === 0 ? noStep : undefined;
}

function emptyLengthRange({ attributes: { minlength, maxlength } }: ControlDescription): string | undefined {
  const max = parseNonNegativeInteger(maxlength) ?? Infinity;
  return (parseNonNegativeInteger(minlength) ?? 0) > max ? 'its minlength is above its maxlength' : undefined;
}
