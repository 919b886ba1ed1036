import { ViewBuilder, type TextView } from './text-view.js';

const space = 0x20;
/** The maximum number of code units that one code unit is folded to. */
export const maxExpansion = 4;

/** The folded forms of code units and of characters outside the BMP. */
interface Folding {
  /** The folded code unit of each code unit, 0 if it is ignored, or `expands`. */
  readonly codes: Uint16Array;
  /** The folded forms of several code units, by code unit or code point. */
  readonly expansions: ReadonlyMap<number, readonly number[]>;
  /** The high surrogates of the characters in `expansions`. */
  readonly halves: ReadonlySet<number>;
}

/** Marks a code unit that is folded to several. U+FFFF is not a character. */
const expands = 0xffff;

let folding: Folding | undefined;

/** Whether a character outside the BMP is folded: digits of scripts, styled letters and digits, and letters in squares. */
const isFoldedPair = (point: number): boolean =>
  (point >= 0x1d400 && point <= 0x1d7ff) ||
  (point >= 0x1f100 && point <= 0x1f1ff) ||
  /\p{Nd}/u.test(String.fromCodePoint(point));

/** Whether a high surrogate can begin an invisible character: tags, variation selectors, shorthand and music controls. */
const isInvisibleHalf = (code: number): boolean =>
  (code >= 0xdb40 && code <= 0xdb43) || code === 0xd82f || code === 0xd834;

/** Whether a character outside the BMP has the property `Default_Ignorable_Code_Point`. */
const isInvisible = (point: number): boolean =>
  (point >= 0xe0000 && point <= 0xe0fff) ||
  (point >= 0x1bca0 && point <= 0x1bca3) ||
  (point >= 0x1d173 && point <= 0x1d17a);

/** Whether folding skips a code unit: Han, Hangul, surrogates and private use, which would take most of the time. */
const isUnfolded = (code: number): boolean =>
  (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xd800 && code <= 0xf8ff);

function createFolding(): Folding {
  const expansions = new Map<number, readonly number[]>();
  const codes = Uint16Array.from({ length: 0x10000 }, (_, code) => {
    if (isUnfolded(code)) return code;
    const folded = fold(String.fromCharCode(code));
    if (folded.length <= 1) return folded === '' ? 0 : folded.charCodeAt(0);
    if (folded.length > maxExpansion) return code;
    expansions.set(code, codesOf(folded));
    return expands;
  });
  const halves = new Set<number>();
  for (let point = 0x10000; point < 0x20000; point++) {
    if (!isFoldedPair(point)) continue;
    const character = String.fromCodePoint(point);
    const folded = fold(character);
    if (folded.length > maxExpansion) continue;
    expansions.set(point, codesOf(folded));
    halves.add(character.charCodeAt(0));
  }
  return { codes, expansions, halves };
}

const codesOf = (text: string): readonly number[] =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** Decomposes a character, so that all compositions of a string are equal. */
function fold(character: string): string {
  const visible = character.normalize('NFKD').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible
    .replace(/[\s+]/g, ' ')
    .replace(/[\p{Cc}\ufff9-\ufffb]/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/\u066b/g, '.') // Arabic decimal separator
    .replace(/[\u066c\u2e41]/g, ',') // Arabic thousands separator, Adlam comma
    .toUpperCase() // for letters with several lower-case forms
    .toLowerCase();
}

/** The ASCII digit for a digit of any script. Each script has ten consecutive digits. https://www.unicode.org/policies/stability_policy.html */
function digitOf(character: string): string {
  const point = character.codePointAt(0) as number;
  let first = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((point - first) % 10);
}

/**
 * Ignores case, width, style, script of digits, composition, invisible characters and the kind and amount of white space. A
 * plus sign becomes a space, as in URLs.
 */
export function foldedView(view: TextView): TextView {
  const { codes, expansions, halves } = (folding ??= createFolding());
  const { starts, ends, length } = view;
  const builder = new ViewBuilder(length + extraLength(view, folding));
  for (let at = 0; at < length; at++) {
    const start = starts[at] as number;
    const unit = view.codes[at] as number;
    const isPair = (halves.has(unit) || isInvisibleHalf(unit)) && isLowHalf(view.codes[at + 1]) && at + 1 < length;
    if (isPair) at++;
    const end = ends[at] as number;
    const point = isPair ? pointOf(unit, view.codes[at] as number) : unit;
    if (isPair && isInvisible(point)) continue;
    const code = isPair ? expands : (codes[unit] as number);
    if (code === space && builder.last === space) builder.extendTo(end);
    else if (code === expands) for (const each of expansions.get(point) ?? pairOf(point)) builder.add(each, start, end);
    else if (code !== 0) builder.add(code, start, end);
  }
  return builder.view();
}

const isLowHalf = (code = 0): boolean => code >= 0xdc00 && code <= 0xdfff;
const pointOf = (high: number, low: number): number => (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
const pairOf = (point: number): readonly number[] => codesOf(String.fromCodePoint(point));

/** The maximum number of code units that folding adds to a view. */
function extraLength(view: TextView, { codes, expansions, halves }: Folding): number {
  let extra = 0;
  for (let at = 0; at < view.length; at++) {
    const code = view.codes[at] as number;
    if (codes[code] === expands) extra += (expansions.get(code)?.length ?? 1) - 1;
    else if (halves.has(code)) extra += maxExpansion;
  }
  return extra;
}
