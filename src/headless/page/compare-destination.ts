import { isFrameworkToken } from '../../compiler/csrf-token.js';
import type { FormDescription } from '../../compiler/description.js';
import { submissionOf } from '../form-request.js';
import { displayUrl } from '../secrets/display-url.js';
import { SubmissionError } from '../submission-error.js';

/** A path or URL without the ID of a session, which a visitor could have written. */
export const withoutSessionId = (url: string): string => url.replace(/;jsessionid=[^/;?#]*/gi, '');

export interface FreshNames {
  readonly isFresh: (name: string) => boolean;
  /** Those that the configuration names, whose parameters may also appear. */
  readonly configured: ReadonlySet<string>;
}

interface SubmittedForm {
  readonly form: FormDescription;
  readonly submitter?: number | undefined;
  readonly pageUrl: string;
}

/** Whether a form is submitted to another destination than in the manifest, as the end of a sentence about the form. */
export function destinationDifference(
  known: SubmittedForm,
  current: SubmittedForm,
  fresh: FreshNames,
): string | undefined {
  const before = destination(known, fresh);
  let after: Destination;
  try {
    after = destination(current, fresh);
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    return 'cannot be submitted over HTTP';
  }
  const isSame =
    before.query.length === after.query.length &&
    before.query.every((each, index) => each === after.query[index]) &&
    !hasFurther(before.fresh, after.fresh);
  const isKept = (): boolean => before.query.every((each) => after.query.includes(each));
  const isOwn = isOwnUrl(known) && isOwnUrl(current) && isKept();
  if (before.target === after.target && (isSame || isOwn)) return undefined;
  return `is submitted by ${after.display()} instead of ${before.display()}`;
}

/**
 * Whether a form is submitted to the URL of its page, to which only the site can add parameters by a redirect. If it changes one,
 * the page can be another.
 */
const isOwnUrl = ({ form, submitter }: SubmittedForm): boolean =>
  ((submitter === undefined ? undefined : form.controls[submitter]?.attributes.formaction) ?? form.action ?? '') === '';

/** Whether fresh parameters were added, except for one token of a framework. */
function hasFurther(before: Destination['fresh'], after: Destination['fresh']): boolean {
  const added = [...after].flatMap(([name, count]) => {
    const further = count - (before.get(name) ?? 0);
    return further > 0 ? [{ further, isToken: isFrameworkToken(name) && !before.has(name) }] : [];
  });
  return added.length > 1 || added.some(({ further, isToken }) => further > 1 || !isToken);
}

interface Destination {
  readonly target: string;
  /** The parameters that the site does not renew, sorted; empty for GET, which replaces them. */
  readonly query: readonly string[];
  /** How often each renewed parameter occurs, except for those of the configuration. */
  readonly fresh: ReadonlyMap<string, number>;
  readonly display: () => string;
}

function destination({ form, submitter, pageUrl }: SubmittedForm, { isFresh, configured }: FreshNames): Destination {
  const { url, method, enctype } = submissionOf(form, submitter, pageUrl);
  const isPost = method === 'post';
  const kind = isPost ? `POST ${enctype}` : 'GET';
  const compared: string[] = [];
  const fresh = new Map<string, number>();
  for (const { name, text, isPlain } of isPost ? parametersOf(url) : []) {
    if (!isPlain || !isFresh(name)) compared.push(text);
    else if (!configured.has(name)) fresh.set(name, (fresh.get(name) ?? 0) + 1);
  }
  return {
    target: `${kind} ${url.origin}${withoutSessionId(url.pathname)}`,
    query: compared.sort(),
    fresh,
    display: () => `${kind} to ${displayUrl(url, { query: isPost })}`,
  };
}

interface Parameter {
  readonly name: string;
  /** The name and the value, to compare them. */
  readonly text: string;
  /** Whether each server reads it as this one parameter. */
  readonly isPlain: boolean;
}

/** Some servers separate parameters by semicolons, and invalid bytes of UTF-8 are different characters of other encodings. */
const parametersOf = ({ search }: URL): readonly Parameter[] =>
  search
    .slice(1)
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [[name, value] = ['', '']] = new URLSearchParams(`&${pair}`); // it ignores a question mark at the beginning
      const isPlain = !pair.includes(';') && !`${name}${value}`.includes('\uFFFD');
      return { name, text: isPlain ? JSON.stringify([name, value]) : pair, isPlain };
    });
