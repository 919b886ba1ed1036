import type { ToolAnswer } from 'webmcp-forms/client';
import { type JsonValue, maxPageTextLength } from 'webmcp-forms/headless';
import { secretPatterns } from './secret-patterns.js';
import { minSecretLength, secretTexts, sentValues, type SentSecrets } from './sent-secrets.js';

const mark = '[hidden]';

/**
 * Replaces the secrets of a call in a response, because sites may echo them. The text is truncated afterwards, so that
 * no part of a secret remains at its end.
 */
export function hideSecrets(answer: ToolAnswer, sent: SentSecrets): ToolAnswer {
  const texts = secretTexts(sent);
  const search: Search = {
    patterns: secretPatterns(texts),
    numbers: new Set(texts.filter((text) => /^\d+(?:\.\d+)?$/.test(text)).map(Number)),
  };
  const { messages, errors, json, jsonLd, text } = answer;
  return {
    ...answer,
    url: hideInUrl(hideQueryValues(answer.url, sent), search),
    contentType: hideInText(answer.contentType, search),
    ...(messages && { messages: messages.map((message) => hideInText(message, search)) }),
    ...(errors && { errors: errors.map((error) => ({ ...error, message: hideInText(error.message, search) })) }),
    ...(json !== undefined && { json: hideInJson(json, search) }),
    ...(jsonLd && { jsonLd: jsonLd.map((block) => hideInJson(block, search)) }),
    ...(text !== undefined && { text: hideInText(text, search).slice(0, maxPageTextLength) }),
  };
}

interface Search {
  readonly patterns: readonly RegExp[];
  readonly numbers: ReadonlySet<number>;
}

function hideInJson(value: JsonValue, search: Search): JsonValue {
  if (typeof value === 'string') return hideInText(value, search);
  if (typeof value === 'number') {
    return search.numbers.has(value) && String(value).length >= minSecretLength ? mark : value;
  }
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => hideInJson(each, search));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  return Object.fromEntries(members.map(([name, each]) => [hideInText(name, search), hideInJson(each, search)]));
}

/** The origin is not searched for secrets: it was allowed before anything was sent. */
function hideInUrl(url: string, search: Search): string {
  const { length } = new URL(url).origin;
  return url.slice(0, length) + hideInText(url.slice(length), search);
}

function hideInText(text: string, { patterns }: Search): string {
  if (text.length < minSecretLength) return text;
  const spans = patterns.flatMap((pattern) => findSpans(text, pattern));
  if (patterns.length > 1) spans.sort((one, other) => one.start - other.start);
  let shown = '';
  let shownEnd = 0;
  for (const { start, end } of spans) {
    if (start >= shownEnd) shown += text.slice(shownEnd, start) + mark;
    shownEnd = Math.max(shownEnd, end);
  }
  return shown + text.slice(shownEnd);
}

interface Span {
  readonly start: number;
  end: number;
}

/** The matches of a pattern from all positions of a text. Overlapping matches are merged. */
function findSpans(text: string, pattern: RegExp): readonly Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    const last = spans.at(-1);
    if (last && match.index < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start: match.index, end });
    pattern.lastIndex = match.index + 1;
  }
  return spans;
}

/** A form with the method GET puts the values of hidden and sensitive controls into its query. */
function hideQueryValues(url: string, { filled }: SentSecrets): string {
  const secrets = new Set(sentValues(filled).map(({ control, value }) => JSON.stringify([control.name, value])));
  const parsed = new URL(url);
  const pairs = [...parsed.searchParams];
  const isHidden = (pair: readonly [string, string]): boolean => pair[1] !== '' && secrets.has(JSON.stringify(pair));
  if (!pairs.some(isHidden)) return url;
  const shown = pairs.map((pair): [string, string] => (isHidden(pair) ? [pair[0], '...'] : pair));
  parsed.search = new URLSearchParams(shown).toString();
  return parsed.href;
}
