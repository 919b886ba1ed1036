import { isFrameworkToken } from '../../compiler/csrf-token.js';
import type { FormDescription } from '../../compiler/description.js';
import { submissionOf } from '../form-request.js';
import { displayUrl } from '../secrets/display-url.js';
import { SubmissionError } from '../submission-error.js';

/** Removes session IDs from a path or URL, because a visitor could have written them. */
export const withoutSessionId = (url: string): string => url.replace(/;jsessionid=[^/;?#]*/gi, '');

export interface FreshNames {
  readonly isFresh: (name: string) => boolean;
  /** The names in the configuration. Parameters with these names may also be added. */
  readonly configured: ReadonlySet<string>;
}

interface SubmittedForm {
  readonly form: FormDescription;
  readonly submitter?: number | undefined;
  readonly pageUrl: string;
}

/** The difference between a form's destinations in the manifest and in the page, as the end of a sentence about the form. */
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
 * Whether a form is submitted to the URL of its page. Only the site can add parameters to this URL, by a redirect. A URL with a
 * changed parameter can be the URL of another page.
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
  /** The parameters that the site does not renew, sorted; empty for GET, which replaces the query. */
  readonly query: readonly string[];
  /** The counts of renewed parameters by name, except configured names. */
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
  /** The name and the value, for comparison. */
  readonly text: string;
  /** Whether every server parses it as exactly this parameter. */
  readonly isPlain: boolean;
}

/** The parameters of a URL. Some servers also split them at semicolons, or decode invalid UTF-8 in another encoding. */
const parametersOf = ({ search }: URL): readonly Parameter[] =>
  search
    .slice(1)
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [[name, value] = ['', '']] = new URLSearchParams(`&${pair}`); // `&` preserves a question mark at the beginning
      const isPlain = !pair.includes(';') && !`${name}${value}`.includes('\uFFFD');
      return { name, text: isPlain ? JSON.stringify([name, value]) : pair, isPlain };
    });
