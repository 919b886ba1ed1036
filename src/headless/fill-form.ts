import type { ControlDescription, FormDescription } from '../compiler/description.js';
import { stepsFor } from '../compiler/input/plan-input.js';
import { formState } from '../compiler/input/form-state.js';
import { defaultButton, isSubmitButton, indexControls } from '../compiler/parameters/parameters.js';
import { preview } from '../compiler/preview.js';
import { redactForm } from '../compiler/profiles/redact.js';
import { resolveSynthesis, type ProfileName, type Sensitive } from '../compiler/profiles/synthesize.js';
import { parametersOf, type Synthesis } from '../compiler/tool.js';
import type { JsonValue } from '../json-schema.js';
import { oncePerObject } from '../lazy.js';
import { truncate } from '../visible-text.js';
import { constraintErrors, type FilledForm } from './constraints/constraints.js';
import { sizeErrors } from './constraints/input-size.js';
import type { WorkBudget } from './constraints/pattern.js';
import { SubmissionError, type InputError } from './submission-error.js';
import { configuredAssignments, invalidConfig, type SubmitConfig } from './config.js';
import { notSubmittable } from './form-request.js';

export interface FormInput {
  readonly input: JsonValue;
  readonly config: SubmitConfig;
  readonly synthesis: Synthesis;
  readonly budget: WorkBudget;
}

/** Functions that redact a form. They cache the result, because many calls fill the same form of a manifest. */
const redacted: Readonly<Record<Sensitive, (form: FormDescription) => FormDescription>> = {
  include: oncePerObject((form) => redactForm(form, 'include')),
  exclude: oncePerObject((form) => redactForm(form, 'exclude')),
};

const syntheses = new Map<string, Synthesis>();

/** The synthesis options of a call. The parameters of each form are derived only once. */
export function callSynthesis(profile: ProfileName, sensitive: Sensitive | undefined): Synthesis {
  const key = `${profile} ${sensitive}`;
  const known = syntheses.get(key);
  if (known) return known;
  const synthesis = resolveSynthesis({ profile, ...(sensitive && { sensitive }) });
  const parameters = oncePerObject((form: FormDescription) => parametersOf(form, synthesis));
  const created = { ...synthesis, profile: { ...synthesis.profile, parameters } };
  syntheses.set(key, created);
  return created;
}

interface KnownForm {
  readonly filled: FilledForm;
  /** Creates the error for a page that differs from the manifest. */
  readonly drift: (reason: string) => SubmissionError;
}

interface FillResult {
  readonly filled: FilledForm;
  readonly errors: readonly InputError[];
  /** The number of unknown names that have no error. */
  readonly omittedCount: number;
}

/**
 * Fills a form with an input and a configuration, which overrides the input. Errors describe the redacted form, so that they
 * contain no secrets of the page.
 *
 * @param known - the form of the manifest, if `form` is the form of the page. Both must have the same default button
 * @throws {SubmissionError} `config-error`; `captcha-required`; `not-submittable` if no input can satisfy the constraints;
 *   `page-drift`
 */
export function fillForm(
  form: FormDescription,
  { input, config, synthesis, budget }: FormInput,
  known?: KnownForm,
): FillResult {
  checkCaptcha(form, config);
  const redactedForm = redacted[synthesis.sensitive](form);
  const limited = limitUnknownNames(redactedForm, input, synthesis);
  const { steps, errors } = stepsFor(redactedForm, limited.input, synthesis, { acceptUnlisted: true });
  const assignments = [...steps, ...configuredAssignments(form, config)];
  const chosen = steps.find(({ set }) => set === 'submitter')?.control;
  const submitter = chosen ?? (known ? sameButton(form, known) : defaultButton(form, synthesis.profile));
  const filled: FilledForm = {
    form,
    states: formState(form, assignments),
    set: new Set(assignments.filter(({ set }) => set !== 'submitter').map(({ control }) => control)),
    submitter: submitter < 0 ? undefined : submitter,
    isSubmitterChosen: chosen !== undefined,
  };
  return {
    filled,
    errors: [...shortenNames(errors), ...newConstraintErrors(filled, errors, { input, synthesis, budget })],
    omittedCount: limited.omittedCount,
  };
}

/**
 * Finds the submit button of the manifest's form in the page's form, where another button can come first. Prefers a button with
 * the same name and attributes, then with the same name and value, then the only button with the name. Without a name, any
 * button without a name will do, because it submits no entry; but an image, which submits coordinates, matches only an image.
 */
function sameButton(form: FormDescription, { filled: known, drift }: KnownForm): number {
  const button = known.submitter === undefined ? undefined : known.form.controls[known.submitter];
  const name = button?.name ?? '';
  const buttons = indexControls(form).filter(({ control }) => isSubmitButton(control));
  const isImage = button?.type === 'image';
  const candidates = buttons.filter(
    ({ control: { name: each, type } }) => each === name && (type === 'image') === isImage,
  );
  const [exact] = [submissionAttributes, ['value'] as const].flatMap(
    (attributes) =>
      candidates.find(({ control }) =>
        attributes.every((attribute) => control.attributes[attribute] === button?.attributes[attribute]),
      ) ?? [],
  );
  const [first] = candidates;
  const found = exact ?? (name === '' || candidates.length === 1 ? first : undefined);
  if (found) return found.index;
  if (name === '' && buttons.length === 0) return -1;
  throw drift(
    name === '' ? 'no submit button matches that of the manifest' : `the submit button ${preview(name)} is missing`,
  );
}

const submissionAttributes = ['value', 'formaction', 'formmethod', 'formenctype', 'formnovalidate'] as const;

/** Rejects a form with a captcha. The configuration may set the value of a captcha's control, as in tests. */
function checkCaptcha(form: FormDescription, { values = {} }: SubmitConfig): void {
  const control = form.controls.find(
    ({ captcha, disabled, name }) => captcha && !disabled && !Object.hasOwn(values, name),
  );
  if (!control && form.captcha === undefined) return;
  const evidence = control ? `: ${preview(control.name)}, because ${control.evidence}` : '';
  const message = `The form has a captcha, which only a person can solve${evidence}. Ask the user to submit the form in a browser.`;
  throw new SubmissionError('captcha-required', message);
}

function newConstraintErrors(
  filled: FilledForm,
  errors: readonly InputError[],
  { input, synthesis, budget }: Omit<FormInput, 'config'>,
): readonly InputError[] {
  const invalid = new Set(errors.map(({ parameter }) => parameter));
  if (invalid.has('')) return [];
  const found = constraintErrors(filled, input, synthesis, budget);
  const unreachable = found.flatMap(({ control, error }) => (error ? [] : control));
  if (unreachable.length > 0) throw unreachableError(unreachable);
  return found.flatMap(({ error }) => (error && !invalid.has(error.parameter) ? error : []));
}

function unreachableError(controls: readonly ControlDescription[]): SubmissionError {
  const namesOf = (list: readonly ControlDescription[]): string => list.map(({ name }) => preview(name)).join(', ');
  const secrets = controls.filter(({ sensitive }) => sensitive);
  if (secrets.length > 0) return invalidConfig(`the value of ${namesOf(secrets)} is missing or invalid`);
  return notSubmittable(`no parameter sets its invalid controls ${namesOf(controls)}`);
}

/** Limits the errors for unknown names: an input can have millions of names. */
const maxUnknownNames = 100;

/** Longer unknown names are truncated in errors. */
const maxNameLength = 200;

/** The errors of values that are too large to be converted. */
export const excessErrors = (form: FormDescription, { input, synthesis }: FormInput): readonly InputError[] =>
  sizeErrors(redacted[synthesis.sensitive](form), input, synthesis);

function limitUnknownNames(
  form: FormDescription,
  input: JsonValue,
  synthesis: Synthesis,
): { readonly input: JsonValue; readonly omittedCount: number } {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const members = isObject ? Object.entries(input as Readonly<Record<string, JsonValue>>) : [];
  if (members.length <= maxUnknownNames) return { input, omittedCount: 0 };
  const parameters = new Set(parametersOf(form, synthesis).map(({ name }) => name));
  let unknownCount = 0;
  const limited = members.filter(([name]) => parameters.has(name) || ++unknownCount <= maxUnknownNames);
  return { input: Object.fromEntries(limited), omittedCount: members.length - limited.length };
}

const shortenNames = (errors: readonly InputError[]): readonly InputError[] =>
  errors.map((error) => {
    const { code, parameter } = error;
    return code === 'unknown-parameter' ? { ...error, parameter: truncate(parameter, maxNameLength) } : error;
  });
