import type { ToolAnswer } from 'webmcp-forms/client';
import { type JsonValue, mostText } from 'webmcp-forms/headless';
import { secretWords, sentValues, shortest, type SentSecrets } from './secret-words.js';
import { decodedViews, sourceOf, ungroupedView, withoutCutEscape, type TextView } from './text-views.js';
import { WordFinder, type Span } from './word-finder.js';

const mark = '[hidden]';

/** A site may say what it was sent: its answer without the secrets of the call, as far as they can be told from words. */
export function hideSecrets(answer: ToolAnswer, sent: SentSecrets): ToolAnswer {
  const { words, digits, numbers } = secretWords(sent);
  const shown = { ...answer, url: withoutQuery(answer.url, sent) };
  if (words.length === 0) return shown;
  const search: Search = { words: new WordFinder(words), digits: new WordFinder(digits), numbers };
  const { json, jsonLd, text } = answer;
  return {
    ...shown,
    url: hideInUrl(shown.url, search),
    contentType: hideInText(answer.contentType, search),
    ...(json !== undefined && { json: hideIn(json, search) }),
    ...(jsonLd && { jsonLd: jsonLd.map((block) => hideIn(block, search)) }),
    ...(text !== undefined && { text: hideInText(withoutCutSecret(text, search), search).slice(0, mostText) }),
  };
}

interface Search {
  readonly words: WordFinder;
  readonly digits: WordFinder;
  readonly numbers: ReadonlySet<number>;
}

function hideIn(value: JsonValue, search: Search): JsonValue {
  if (typeof value === 'string') return hideInText(value, search);
  if (typeof value === 'number') return isHiddenNumber(value, search) ? mark : value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => hideIn(each, search));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  return Object.fromEntries(members.map(([name, each]) => [hideInText(name, search), hideIn(each, search)]));
}

const isHiddenNumber = (value: number, { numbers }: Search): boolean =>
  numbers.has(value) && String(value).length >= shortest.secret;

/** The origin was allowed before anything was sent to it. */
function hideInUrl(url: string, search: Search): string {
  const { length } = new URL(url).origin;
  return url.slice(0, length) + hideInText(url.slice(length), search);
}

function hideInText(text: string, { words, digits }: Search): string {
  if (text.length < shortest.secret) return text;
  const ungrouped = ungroupedView(text);
  const spans = [
    words.find(text),
    ...decodedViews(text).map((view) => spansIn(view, words)),
    ungrouped ? spansIn(ungrouped, digits) : [],
  ];
  return withMarks(
    text,
    spans.filter(({ length }) => length > 0),
  );
}

const spansIn = (view: TextView, finder: WordFinder): readonly Span[] =>
  finder.find(view.text).map((span) => sourceOf(view, span));

/** @param found - the parts to hide, of each reading of the text */
function withMarks(text: string, found: readonly (readonly Span[])[]): string {
  let [shown, from] = ['', 0];
  for (const { start, end } of found.flat().sort((one, other) => one.start - other.start)) {
    if (start >= from) shown += text.slice(from, start) + mark;
    from = Math.max(from, end);
  }
  return shown + text.slice(from);
}

/** A text that was cut may end with the beginning of a secret. */
function withoutCutSecret(text: string, { words, digits }: Search): string {
  if (text.length < mostText) return text;
  const whole = withoutCutEscape(text);
  const ungrouped = ungroupedView(whole);
  const begun = (view: TextView, finder: WordFinder): number =>
    view.starts[view.text.length - finder.begun(view.text)] as number;
  const ends = decodedViews(whole).map((view) => begun(view, words));
  const end = Math.min(whole.length - words.begun(whole), ...ends, ungrouped ? begun(ungrouped, digits) : whole.length);
  return whole.slice(0, end);
}

/** A form of the method GET puts the values of hidden and sensitive controls into its query. */
function withoutQuery(url: string, { filled }: SentSecrets): string {
  const secrets = new Map<string, Set<string>>();
  for (const { control, value } of sentValues(filled)) {
    if (value !== '') secrets.set(control.name, (secrets.get(control.name) ?? new Set()).add(value));
  }
  const parsed = new URL(url);
  const pairs = [...parsed.searchParams];
  const isShown = ([name, value]: [string, string]): boolean => !secrets.get(name)?.has(value);
  if (pairs.every(isShown)) return url;
  const shown = pairs.map((pair): [string, string] => (isShown(pair) ? pair : [pair[0], '...']));
  parsed.search = new URLSearchParams(shown).toString();
  return parsed.href;
}
