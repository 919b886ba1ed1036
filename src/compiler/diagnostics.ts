import { toolNamePattern } from '../tool-name.js';
import { isSubmitButton } from './parameters/choices.js';
import { customSchema } from './parameters/custom-schema.js';
import type { ControlDescription, FormDescription } from './description.js';
import { applies, buttonTypes } from './html/elements.js';
import { isValidPattern, unicodePattern } from './html/pattern.js';
import { noLegalValueReason } from './parameters/legal-values.js';
import { mutableControls, unitOf, type IndexedControl } from './parameters/parameters.js';
import { collisions } from './profiles/chromium.js';
import { isOmissible } from './profiles/precise/required.js';
import { synthesizeParameters, type SynthesizeOptions } from './profiles/synthesize.js';
import type { SynthesizedParameter } from './tool.js';
import { collapseWhitespace } from './html/text.js';
import type { SourceLocation } from './tree.js';

/** The author mistakes that the compiler finds. */
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
  | ToolElementCode;

/** The mistakes with `<webmcp-tool>` that the reader of pages finds besides. */
export type ToolElementCode =
  | 'form-not-found'
  | 'form-is-annotated'
  | 'form-is-taken'
  | 'unknown-control'
  | 'invalid-param'
  | 'invalid-schema'
  | 'ignored-param'
  | 'unknown-profile'
  | 'unknown-sensitive';

/** An author mistake: never thrown, always located where the front end knows the source. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  /** An error keeps a tool, or one of its parameters, from working. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The tool that it concerns. */
  readonly tool?: string;
  /** The control that it concerns, by its `name`. */
  readonly parameter?: string;
  readonly location?: SourceLocation;
}

type Finding = Pick<Diagnostic, 'code' | 'severity' | 'message'>;
type Finder<Subject> = (subject: Subject) => Finding | false;

/**
 * What is wrong with a form as a tool, in tree order.
 *
 * @param parameters - the form's parameters, where the caller has them already
 */
export function diagnose(
  form: FormDescription,
  options: SynthesizeOptions,
  parameters = synthesizeParameters(form, options),
): readonly Diagnostic[] {
  const reading: Reading = {
    form,
    options,
    parameters: byControl(parameters),
    collisions: options.profile === 'chromium' ? collisions(form) : new Set(),
  };
  const tool = form.tool.name ? { tool: form.tool.name } : {};
  const own = run(formFinders, reading).map((finding) => locate({ ...finding, ...tool }, form.location));
  const ofControls = mutableControls(form).flatMap((each) =>
    run(controlFinders, { ...reading, ...each }).map((finding) =>
      locate(
        { ...finding, ...tool, ...(each.control.name && { parameter: each.control.name }) },
        each.control.location,
      ),
    ),
  );
  return [...own, ...ofControls];
}

interface Reading {
  readonly form: FormDescription;
  readonly options: SynthesizeOptions;
  /** By the indices of their controls. */
  readonly parameters: ReadonlyMap<number, SynthesizedParameter>;
  /** The indices of the controls that their names keep from being parameters. */
  readonly collisions: ReadonlySet<number>;
}

type ControlReading = Reading & IndexedControl;

const run = <Subject>(finders: readonly Finder<Subject>[], subject: Subject): readonly Finding[] =>
  finders.map((find) => find(subject)).filter((finding) => finding !== false);

const locate = (diagnostic: Diagnostic, location: SourceLocation | undefined): Diagnostic =>
  location ? { ...diagnostic, location } : diagnostic;

const error = (code: DiagnosticCode, message: string): Finding => ({ code, severity: 'error', message });
const warning = (code: DiagnosticCode, message: string): Finding => ({ code, severity: 'warning', message });

const formFinders: readonly Finder<Reading>[] = [
  ({ form: { tool } }) =>
    !tool.name && error('missing-tool-name', 'The form has no toolname, so it is no tool: add one.'),
  ({ form: { tool } }) =>
    Boolean(tool.name) &&
    !toolNamePattern.test(tool.name ?? '') &&
    error('invalid-tool-name', 'The toolname is not 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop.'),
  ({ form: { tool } }) =>
    tool.description === null
      ? error('missing-tool-description', 'The form has no tooldescription, so it is no tool: say what it does.')
      : collapseWhitespace(tool.description) === '' &&
        warning('missing-tool-description', 'The tooldescription is empty: say what the tool does.'),
  ({ form }) =>
    !form.tool.autosubmit &&
    !form.controls.some(isSubmitButton) &&
    error('missing-submit-button', 'The form has no submit button that is enabled: add one, or toolautosubmit.'),
];

const controlFinders: readonly Finder<ControlReading>[] = [
  ({ control }) =>
    takesValue(control) &&
    control.name === '' &&
    !isRequired(control) &&
    !control.sensitive && // often nameless on purpose, so that it never reaches the server
    warning('missing-parameter-name', 'The control has no name, so what it holds is never submitted: add a name.'),
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
    warning('duplicate-parameter-name', 'Chromium makes no parameter of a name that several controls have.'),
  ({ control, index, parameters, options }) => {
    const parameter = parameters.get(index);
    return takesValue(control) && parameter?.units[0].controls[0] === index && undescribed(control, parameter, options);
  },
  ({ control: { type, attributes } }) =>
    attributes.pattern !== undefined &&
    applies.pattern.has(type) &&
    !isValidPattern(attributes.pattern) &&
    warning('invalid-pattern', 'The pattern is no regular expression with the flag v, so browsers ignore it.'),
  ({ control: { type, attributes }, options }) =>
    attributes.pattern !== undefined &&
    options.profile !== 'chromium' &&
    applies.pattern.has(type) &&
    isValidPattern(attributes.pattern) &&
    unicodePattern(attributes.pattern) === undefined &&
    warning('unsupported-pattern', 'JSON Schema cannot say the pattern, which needs the flag v: it is said in words.'),
  ({ control }) =>
    control.type === 'custom' &&
    customSchema(control) === undefined &&
    error('invalid-parameter-schema', 'The toolparamschema is no JSON Schema, so the control is no parameter.'),
  ({ control }) => {
    const reason = noLegalValueReason(control);
    return reason !== undefined && error('no-legal-value', `No value satisfies the control: ${reason}.`);
  },
  ({ control }) =>
    control.type.startsWith('select') &&
    (control.options ?? []).every((option) => option.disabled) &&
    warning('no-options', 'The select offers no option that is enabled.'),
];

const valueless = new Set([...buttonTypes, 'output', 'fieldset', 'object', 'hidden']);
const takesValue = ({ type }: ControlDescription): boolean => !valueless.has(type);
const isRequired = ({ type, attributes }: ControlDescription): boolean =>
  attributes.required !== undefined && applies.required.has(type);

const byControl = (parameters: readonly SynthesizedParameter[]): ReadonlyMap<number, SynthesizedParameter> =>
  new Map(
    parameters.flatMap((parameter) =>
      parameter.units.flatMap(({ controls }) => controls.map((index) => [index, parameter] as const)),
    ),
  );

/** A parameter whose description has no word of the page, but for what a custom element says of itself. */
function undescribed(
  control: ControlDescription,
  { units: [unit], words }: SynthesizedParameter,
  { profile }: SynthesizeOptions,
): Finding | false {
  const code = 'missing-parameter-description';
  if (words.length > 0 || (control.type === 'custom' && customSchema(control)?.description)) return false;
  const isGroup =
    unit.kind === 'checkboxes' || (unit.kind === 'radios' && (profile !== 'chromium' || unit.controls.length > 1));
  if (!isGroup) return warning(code, 'Nothing describes the control: add a label or a toolparamdescription.');
  const legend = profile === 'chromium' ? '' : 'a legend or ';
  return warning(code, `Nothing describes the group: put it in a fieldset with ${legend}a toolparamdescription.`);
}

function unreachable(control: ControlDescription): Finding {
  const code = 'unreachable-required-control';
  if (control.sensitive)
    return warning(code, 'Only the person can fill the required control: an agent waits for them.');
  if (control.name === '') return error(code, 'The required control has no name, so no agent can fill it: add a name.');
  return error(code, 'The control is required and no parameter of this profile, so no call can succeed.');
}
