import { isSubmitButton } from '../../compiler/parameters/choices.js';
import type { FormDescription } from '../../compiler/description.js';
import { stepsFor } from '../../compiler/execute/execute-steps.js';
import { isMutable } from '../../compiler/parameters/parameters.js';
import type { JsonValue } from '../../json-schema.js';
import { markActive } from './active.js';
import { callException, callFailure } from './call-error.js';
import { checkRun, type Run } from './calls.js';
import { brokenConstraints } from './constraints.js';
import { fill, isFilled, type Filled } from './fill.js';
import { keep } from './form-snapshot.js';
import { submitForm } from '../submission/submit.js';
import { waitForPerson } from '../submission/await-user.js';

/**
 * Runs one call: checks all of the input, fills, looks whether the form agrees, and submits, or waits for the person.
 * https://webmachinelearning.github.io/webmcp/#declarative-execute-steps
 */
export async function execute(run: Run, input: JsonValue): Promise<string | null> {
  const filling = begin(run, input);
  const { description, controls } = filling;
  const isForPerson = waitsForPerson(run, description);
  if (isForPerson && !description.controls.some(isSubmitButton)) throw withoutButton();
  checkInput(run, filling);
  const kept = keep(run.form, controls);
  const active = markActive(run, submitterOf(filling));
  try {
    const filled = await fill(run, input, filling);
    const submitter = submitterOf(filled);
    active.chooses(submitter);
    checkConstraints(run, input, filled, submitter, isForPerson);
    if (!isForPerson) return await submitForm(run, submitter);
    if (!submitter) throw withoutButton();
    kept.isDone = true;
    return await waitForPerson(run, submitter, kept);
  } finally {
    if (!kept.isDone && !isSubmitted(run)) await kept.restore();
    active.end();
  }
}

const isSubmitted = ({ submit }: Run): boolean => submit !== undefined && (!!submit.event || submit.isBypassed);

function begin({ form }: Run, input: JsonValue): Filled {
  const { description, controls } = form.describe();
  return { description, controls, ...stepsFor(description, input, form.settings.synthesis) };
}

const withoutButton = (): Error =>
  callFailure('no-submit-button', 'The form has no enabled submit button, and without toolautosubmit it needs one.');

/** A form that holds what only the person can give never submits by itself. */
function waitsForPerson({ form: { settings } }: Run, { tool, controls }: FormDescription): boolean {
  if (!tool.autosubmit) return true;
  return (
    settings.synthesis.sensitive === 'exclude' && controls.some((control) => control.sensitive && isMutable(control))
  );
}

/** Throws all that is wrong, unless it is only what a control may offer once the others are filled. */
function checkInput(run: Run, { controls, steps, errors }: Filled): void {
  const isLate = errors.every(({ code }) => code === 'not-offered');
  const changes = steps.some((step) => !isFilled(run, controls, step));
  if (errors.length > 0 && !(isLate && changes)) throw callException(errors);
}

/** The button that the agent chose, or the form's default button. */
function submitterOf({ description, controls, steps }: Filled): Element | null {
  const chosen =
    steps.find(({ set }) => set === 'submitter')?.control ?? description.controls.findIndex(isSubmitButton);
  return controls[chosen] ?? null;
}

function checkConstraints(
  run: Run,
  input: JsonValue,
  filled: Filled,
  submitter: Element | null,
  isForPerson: boolean,
): void {
  checkRun(run);
  const errors = brokenConstraints(run.form.settings, input, filled, {
    form: run.form.element,
    submitter,
    isForPerson,
  });
  if (errors.length > 0) throw callException(errors);
}
