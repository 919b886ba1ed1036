import { visibleText } from '../../visible-text.js';
import { collapseWhitespace, stripEnds } from '../../compiler/html/text.js';
import { findInstruction } from '../../wording/instructions.js';
import type { OriginKind, TextOrigin } from '../suggestion.js';

/** The maximum lengths of a string: when it is read, used in a suggestion, and quoted as an origin. */
const maxRead = 2000;
const maxUsed = 100;
const maxOrigin = 120;

/** Marks of template languages. The value of such a string is unknown until the page is served. */
const templateMark = /\{\{|\{%|<[%?]|[$#@]\{|\}\}|%\}|[%?]>/;
/** Translations of string literals: `{% trans "Search" %}` and `{{ _('Search') }}`. */
const translation =
  /\{%-?\s*(?:trans|translate)\s+(["'])([^"'{}]{1,200})\1[^{}]{0,100}%\}|\{\{-?\s*(?:_|gettext|__|t)\(\s*(["'])([^"'{}]{1,200})\3\s*\)[^{}]{0,100}\}\}/g;
/**
 * The characters that suggestions must not contain: private-use icons, unassigned characters, directional marks and fillers.
 */
const unfit =
  /[\p{Co}\p{Cn}\p{Cc}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f\u2028\u2029\u2800\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e0fff}]/gu;
const address = /https?:|(?<![\w.])www\.|:\/\//i;

/** Cleans a string of the page; empty without letters, or with template syntax, an address or an instruction to agents. */
export function cleanText(raw: string | null | undefined): string {
  if (!raw || raw.length > maxKnownLength) return raw ? clean(raw) : '';
  const known = knownTexts.get(raw);
  if (known !== undefined) return known;
  if (knownTexts.size >= maxKnownTexts) knownTexts.clear();
  const text = clean(raw);
  knownTexts.set(raw, text);
  return text;
}

/** Caches cleaned strings, which pages of a site share. The cache is small, because a string can retain its page in memory. */
const knownTexts = new Map<string, string>();
const maxKnownTexts = 500;
const maxKnownLength = 200;

function clean(raw: string): string {
  const literal = raw
    .slice(0, maxRead)
    .replace(translation, (_match, _a, one?: string, _b?: string, other?: string) => one ?? other ?? '');
  if (templateMark.test(literal)) return '';
  const text = tidy(literal);
  if (!/\p{L}/u.test(text) || address.test(text) || isInstruction(text)) return '';
  return text;
}

/** Whether a string is an instruction to agents. One or two plain words are not, unless one contains `jailbreak`. */
const isInstruction = (text: string): boolean =>
  !(/^[a-z]+(?: [a-z]+)?$/i.test(text) && !/jailbreak/i.test(text)) && findInstruction(text, 'agents') !== undefined;

const tidy = (text: string): string =>
  stripEnds(collapseWhitespace(plain.test(text) ? text : fit(text)), /[\s:*：＊•·|…>»›<«‹→←+-]/);

/** A fast path for ASCII, which contains no unfit characters. */
const plain = /^[\t\n\r -~]*$/;
const fit = (text: string): string => visibleText(text.normalize('NFC')).replace(unfit, ' ');

/** Truncates a string after a word. */
export function shorten(text: string, length = maxUsed): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const end = cut.search(/\s\S*$/);
  return `${stripEnds(end > length / 2 ? cut.slice(0, end) : cut.replace(/[\ud800-\udbff]$/, ''), /[\s,;:–-]/)}…`;
}

/** Returns the string with a capital first letter. */
export const capitalized = (text: string): string => text.replace(/^\p{Ll}/u, (first) => first.toUpperCase());

/** A string of the page with its origin. */
export interface FoundText {
  readonly kind: OriginKind;
  readonly text: string;
}

export const foundText = (kind: OriginKind, raw: string | null | undefined): FoundText | undefined => {
  const text = cleanText(raw);
  return text === '' ? undefined : { kind, text };
};

/** The distinct strings as origins. */
export function originsOf(texts: readonly (FoundText | undefined)[]): readonly TextOrigin[] {
  const seen = new Set<string>();
  return texts.flatMap((found) => {
    if (!found || seen.has(`${found.kind} ${found.text}`)) return [];
    seen.add(`${found.kind} ${found.text}`);
    return { kind: found.kind, text: shorten(found.text, maxOrigin) };
  });
}

/** The words of an identifier, a path or a reversed URL of a template, in lower case. */
export function identifierWords(value: string | null | undefined): readonly string[] {
  if (!value) return [];
  const text = templateMark.test(value) ? templateLiterals(value.slice(0, maxRead)) : value.slice(0, maxRead);
  return (
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+\d*/gu)
      ?.filter((word) => word.length < 25) ?? []
  );
}

/** The name of the route in `{% url 'accounts:login' %}` or `<%= search_path %>`. */
function templateLiterals(value: string): string {
  const quoted = [...value.matchAll(/(?:url|url_for|route|path|reverse)\b[^'"]{0,40}['"]([\w:./-]{1,100})['"]/g)];
  const helpers = [...value.matchAll(/\b(\w{2,60})_(?:path|url)\b/g)];
  return [...quoted, ...helpers].map(([, name]) => name).join(' ');
}
