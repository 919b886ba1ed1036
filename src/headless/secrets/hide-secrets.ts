import type { ToolAnswer } from '../../webtool-client/calls.js';
import { maxPageTextLength } from '../../compiler/html/page-content.js';
import type { JsonValue } from '../../json-schema.js';
import { urlencoded } from '../encodings.js';
import { SubmissionError, type InputError } from '../submission-error.js';
import { mark, SecretSearch } from './secret-search.js';
import { secretTexts, type SentSecrets } from './sent-secrets.js';

/**
 * Replaces the secrets of a call in a response, because sites may echo them. The text is truncated afterwards, so that it
 * does not end with a part of a secret.
 */
export function hideSecrets(answer: ToolAnswer, sent: SentSecrets): ToolAnswer {
  const search = new SecretSearch(secretTexts(sent));
  const { messages, errors, json, jsonLd, text } = answer;
  return {
    ...answer,
    url: hideInUrl(hideQueryValues(answer.url, sent), search),
    contentType: search.hideIn(answer.contentType),
    ...(messages && { messages: messages.map((message) => search.hideIn(message)) }),
    ...(errors && { errors: errors.map((error) => hideInError(error, search)) }),
    ...(json !== undefined && { json: hideInJson(json, search) }),
    ...(jsonLd && { jsonLd: jsonLd.map((block) => hideInJson(block, search)) }),
    ...(text !== undefined && { text: search.hideIn(text).slice(0, maxPageTextLength) }),
  };
}

/**
 * Replaces the secrets of a call in the message and the URL of a failure, because redirects may repeat them in URLs. Parameter
 * errors do not need this: they quote only the manifest, or `hideInErrors` has replaced the secrets.
 */
export function hideInFailure(error: unknown, sent: SentSecrets): unknown {
  if (!(error instanceof SubmissionError)) return error;
  const { code, message, parameters, cause, url } = error;
  const search = new SecretSearch(secretTexts(sent));
  return new SubmissionError(code, search.hideIn(message), { parameters, cause, url: url && hideInUrl(url, search) });
}

export function hideInErrors(errors: readonly InputError[], sent: SentSecrets): readonly InputError[] {
  const search = new SecretSearch(secretTexts(sent));
  return errors.map((error) => ({
    ...error,
    ...hideInError(error, search),
    expected: hideInJson(error.expected as JsonValue, search) as InputError['expected'],
  }));
}

export const hideInData = <Data>(data: Data, sent: SentSecrets): Data =>
  hideInJson(data as JsonValue, new SecretSearch(secretTexts(sent))) as Data;

type AnswerError = NonNullable<ToolAnswer['errors']>[number];

/** Also searches the names of controls, because they are text of the site. */
const hideInError = ({ parameter, message }: AnswerError, search: SecretSearch): AnswerError => ({
  parameter: search.hideIn(parameter),
  message: search.hideIn(message),
});

function hideInJson(value: JsonValue, search: SecretSearch): JsonValue {
  if (typeof value === 'string') return search.hideIn(value);
  if (typeof value === 'number') return search.isSecretNumber(value) ? mark : value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => hideInJson(each, search));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  return Object.fromEntries(members.map(([name, each]) => [search.hideIn(name), hideInJson(each, search)]));
}

/** Does not search the origin, which was allowed before anything was sent. */
function hideInUrl(url: string, search: SecretSearch): string {
  const { length } = new URL(url).origin;
  return url.slice(0, length) + search.hideIn(url.slice(length));
}

/** Replaces the values of hidden and sensitive controls in a query, such as after a form with the method GET. */
function hideQueryValues(url: string, { values, charset = 'UTF-8' }: SentSecrets): string {
  const decoded = new Set(values.map(({ name, value }) => JSON.stringify([name, value])));
  const encoded = new Set(values.map((each) => urlencoded([each], charset)));
  const isHidden = (pair: string): boolean => {
    const [[name, value] = ['', '']] = new URLSearchParams(`&${pair}`);
    return value !== '' && (encoded.has(pair) || decoded.has(JSON.stringify([name, value])));
  };
  const parsed = new URL(url);
  const pairs = parsed.search.slice(1).split('&');
  if (!pairs.some(isHidden)) return url;
  parsed.search = pairs.map((pair) => (isHidden(pair) ? `${pair.replace(/=.*/s, '')}=...` : pair)).join('&');
  return parsed.href;
}
