import { createHash } from 'node:crypto';
import type { FollowedResponse } from '../http/client.js';
import { countOf } from '../site/printable.js';
import { asksForPassword } from '../site/tools/asks-for-password.js';
import { isLoginPath } from '../site/tools/password-input.js';
import { DeadlineError, runWithDeadline } from '../site/workers/deadline.js';
import { RequestError } from './problem.js';

export function checkType(fetched: FollowedResponse): void {
  const [type = ''] = fetched.contentType.split(';');
  if (fetched.status > 299 || /^\s*(?:$|text\/html|application\/xhtml\+xml)\s*$/i.test(type)) return;
  fetched.discard();
  throw new RequestError('type', `its type is ${type.trim().slice(0, 100)}, not HTML`);
}

/**
 * Runs a function that parses the markup of a page. Ctrl+C has no effect while it runs.
 *
 * @throws {RequestError} if the function exceeds the time limit
 */
export function readInTime<Result>(
  read: () => Result,
  timeoutMs: number,
  advice = 'Name the other pages, or exclude its path with --exclude.',
): Result {
  try {
    return runWithDeadline(read, timeoutMs);
  } catch (cause) {
    if (!(cause instanceof DeadlineError)) throw cause;
    throw new RequestError(
      'invalid',
      `reading its markup takes more than ${countOf(timeoutMs / 1000, 'second')}`,
      advice,
    );
  }
}

const loginAdvice = 'Use --login or --cookie to read it.';

/** @throws {RequestError} if the response is an error page, or a login page instead of the page */
export function checkPage({ status, url, isRedirected }: FollowedResponse, html: string): void {
  if (isRedirected && isLoginPath(url.pathname)) {
    throw new RequestError('login', `it redirects to ${url.pathname}, which is a login`, loginAdvice);
  }
  if (isRedirected && asksForPassword(html)) {
    const reason = `it redirects to ${url.pathname}, which has a password input, as a login has`;
    throw new RequestError('login', reason, `${loginAdvice.slice(0, -1)}, or name ${url.pathname} if it is the page.`);
  }
  if (status === 401 || (status === 403 && asksForPassword(html))) {
    throw new RequestError('login', `the status is ${status}`, loginAdvice);
  }
  if (status === 403) throw new RequestError('status', 'the status is 403', 'It may need another account.');
  if (status === 502 || status === 504)
    throw new RequestError('unavailable', `the status is ${status}`, 'Try again later.');
  if (status < 200 || status > 299) throw new RequestError('status', `the status is ${status}`);
}

export const encodingError = (): RequestError =>
  new RequestError(
    'invalid',
    'it is not in its encoding, UTF-8',
    'Correct its text, or the charset of its Content-Type.',
  );

/** Attributes whose values may differ in each response, such as tokens in hidden inputs, and nonces. */
const randomValue = /\b(?:value|content|nonce)=(["'])[\w+/=.:-]{16,500}\1/g;

export const hashOf = (html: string): string =>
  createHash('sha256').update(html.replace(randomValue, '')).digest('base64');
