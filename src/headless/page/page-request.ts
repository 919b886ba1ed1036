import type { AnsweredCall } from '../../compiler/html/page-content.js';
import type { ProfileName, Sensitive } from '../../compiler/profiles/synthesize.js';
import type { JsonValue } from '../../json-schema.js';
import type { SubmitConfig } from '../config.js';
import type { FilledForm } from '../constraints/constraints.js';
import { WorkBudget } from '../constraints/pattern.js';
import { callSynthesis, fillForm } from '../fill-form.js';
import { callOf, checkOrigin, formRequest, type AllowedOrigins, type FormRequest } from '../form-request.js';
import type { SiteResponse } from '../response.js';
import { displayUrl } from '../secrets/display-url.js';
import { hideInErrors } from '../secrets/hide-secrets.js';
import { sentSecrets, type SentSecret, type SentSecrets } from '../secrets/sent-secrets.js';
import { invalidInput, SubmissionError, type InputError } from '../submission-error.js';
import { destinationDifference } from './compare-destination.js';
import { freshIn } from './compare-form.js';
import { findPageForm, type PageForm } from './page-form.js';

export interface PageTask extends AllowedOrigins {
  readonly response: SiteResponse;
  readonly known: FilledForm;
  readonly input: JsonValue;
  readonly config: SubmitConfig;
  readonly profile: ProfileName;
  readonly sensitive?: Sensitive | undefined;
  readonly errors: readonly InputError[];
  readonly steps: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: ReadonlySet<string>;
}

export interface PageRequest {
  readonly request: FormRequest;
  /** The call, for comparison with its answer. */
  readonly call: AnsweredCall;
  readonly secrets: readonly SentSecret[];
}

/**
 * Fills the form of a page and creates the request of its submission.
 *
 * @throws {SubmissionError} if the page has no matching form, or rejects the input
 */
export function createPageRequest(task: PageTask): PageRequest {
  const { response, errors } = task;
  const page = preferInputErrors(errors, () => findPageForm(task));
  const filled = refill(task, page);
  checkOrigin(task, filled, response.url);
  checkDestination(task, filled, page);
  const directionOf = (index: number): 'ltr' | 'rtl' => page.directionOf(index, filled.states);
  const request = formRequest(filled, { pageUrl: response.url, encoding: page.encoding, directionOf });
  return { request, call: callOf(filled, page.before), secrets: sentSecrets(filled) };
}

/** Compares the destination of the submit button, because the form was selected by its destination without a button. */
function checkDestination(
  { known, config, pageUrl, response }: PageTask,
  filled: FilledForm,
  { drift }: PageForm,
): void {
  const fresh = freshIn({ known: known.form, config });
  const difference = destinationDifference({ ...known, pageUrl }, { ...filled, pageUrl: response.url }, fresh);
  if (difference !== undefined) throw drift(`the form of ${displayUrl(response.url)} ${difference}`);
}

function preferInputErrors<Result>(errors: readonly InputError[], work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw inputErrorOr(error, errors);
  }
}

/** Returns the errors of the input, if any, instead of the error of the page, unless the error is about the session. */
export function inputErrorOr(error: unknown, errors: readonly InputError[]): unknown {
  const isAboutSession =
    !(error instanceof SubmissionError) || ['login-required', 'page-forbidden', 'aborted'].includes(error.code);
  return errors.length > 0 && !isAboutSession ? invalidInput(errors, 0) : error;
}

function refill(task: PageTask, { form, drift }: PageForm): FilledForm {
  const { known, profile, sensitive, steps, headers, cookies } = task;
  const synthesis = callSynthesis(profile, sensitive);
  const input = { input: task.input, config: task.config, synthesis, budget: new WorkBudget(steps) };
  const { filled, errors, omittedCount } = fillForm(form, input, { filled: known, drift });
  if (errors.length === 0) return filled;
  const { shown, others } = pageErrors(errors, { values: sentSecrets(filled), headers, cookies });
  if (task.errors.length > 0) throw invalidInput(shown, omittedCount, others);
  const url = displayUrl(task.response.url);
  const reason = `The page differs from the manifest: ${url} rejects the input.`;
  const messages = [reason, ...shown.map(({ message }) => message), others].filter(Boolean);
  throw new SubmissionError('page-drift', messages.join(' '), { parameters: shown, url });
}

/** The maximum number of reported errors if the page rejects the input: a page can have any number of controls. */
const maxPageErrors = 20;

/** The maximum length of a schema in such an error, in characters. */
const maxSchemaLength = 50_000;

/** Hides secrets, because the messages quote the page. */
function pageErrors(errors: readonly InputError[], sent: SentSecrets) {
  const shown = errors.slice(0, maxPageErrors).map(withShortSchema);
  const omittedCount = errors.length - shown.length;
  const others = omittedCount > 0 ? `The input has ${omittedCount} more errors.` : '';
  return { shown: hideInErrors(shown, sent), others };
}

function withShortSchema(error: InputError): InputError {
  const { length } = JSON.stringify(error.expected);
  if (length <= maxSchemaLength) return error;
  const description = `The schema has ${length} characters. Schemas in errors have at most ${maxSchemaLength}.`;
  return { ...error, expected: { description } };
}
