import type { FormDescription } from '../../compiler/description.js';
import { canonicalJson } from '../../json.js';
import { submissionOf } from '../form-request.js';
import { displayUrl } from '../secrets/display-url.js';
import { SubmissionError } from '../submission-error.js';

/** A path or URL without the ID of a session, which a visitor could have written. */
export const withoutSessionId = (url: string): string => url.replace(/;jsessionid=[^/;?#]*/gi, '');

interface SubmittedForm {
  readonly form: FormDescription;
  readonly submitter?: number | undefined;
  readonly pageUrl: string;
}

/** Whether a form is submitted to another destination than in the manifest, as the end of a sentence about the form. */
export function destinationDifference(
  known: SubmittedForm,
  current: SubmittedForm,
  isFresh: (name: string) => boolean,
): string | undefined {
  const before = destination(known, isFresh);
  let after: Destination;
  try {
    after = destination(current, isFresh);
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    return 'cannot be submitted over HTTP';
  }
  const isSameQuery = before.query === after.query || (isOwnUrl(known) && isOwnUrl(current));
  if (before.target === after.target && isSameQuery) return undefined;
  return `is submitted by ${after.display} instead of ${before.display}`;
}

/** Whether a form is submitted to the URL of its page, which only the site determines. */
const isOwnUrl = ({ form, submitter }: SubmittedForm): boolean =>
  ((submitter === undefined ? undefined : form.controls[submitter]?.attributes.formaction) ?? form.action ?? '') === '';

interface Destination {
  readonly target: string;
  /** The parameters that the site does not renew; empty for GET, which replaces them. */
  readonly query: string;
  readonly display: string;
}

function destination({ form, submitter, pageUrl }: SubmittedForm, isFresh: (name: string) => boolean): Destination {
  const { url, method, enctype } = submissionOf(form, submitter, pageUrl);
  const isPost = method === 'post';
  const kind = isPost ? `POST ${enctype}` : 'GET';
  const parameters = isPost ? [...url.searchParams].filter(([name]) => !isFresh(name)) : [];
  return {
    target: `${kind} ${url.origin}${withoutSessionId(url.pathname)}`,
    query: canonicalJson(parameters.map((parameter) => JSON.stringify(parameter)).sort()),
    display: `${kind} to ${displayUrl(url, { query: isPost })}`,
  };
}
