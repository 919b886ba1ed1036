/** A decoded or normalized view of a string: its code units, each with the range of the original string that it represents. */
export interface TextView {
  readonly codes: Uint16Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly length: number;
}

export function viewOf(text: string): TextView {
  const builder = new ViewBuilder(text.length);
  for (let index = 0; index < text.length; index++) builder.add(text.charCodeAt(index), index, index + 1);
  return builder.view();
}

export class ViewBuilder {
  readonly #codes: Uint16Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #length = 0;

  constructor(maxLength: number) {
    this.#codes = new Uint16Array(maxLength);
    this.#starts = new Uint32Array(maxLength);
    this.#ends = new Uint32Array(maxLength);
  }

  add(code: number, start: number, end: number): void {
    const at = this.#length++;
    this.#codes[at] = code;
    this.#starts[at] = start;
    this.#ends[at] = end;
  }

  get last(): number | undefined {
    return this.#length > 0 ? this.#codes[this.#length - 1] : undefined;
  }

  extendTo(end: number): void {
    this.#ends[this.#length - 1] = end;
  }

  view(): TextView {
    const length = this.#length;
    return { codes: this.#codes, starts: this.#starts, ends: this.#ends, length };
  }
}

const [backslash, percent, ampersand, numberSign, semicolon] = [0x5c, 0x25, 0x26, 0x23, 0x3b];
const [space, hyphen] = [0x20, 0x2d];
const maxPasses = 4;

/** Decodes the escapes of URLs, HTML and JSON, including nested escapes. */
export function decodedView(view: TextView): TextView {
  let decoded = view;
  for (let pass = 0; pass < maxPasses; pass++) {
    const next = decodeOnce(decoded);
    if (next.length === decoded.length) break;
    decoded = next;
  }
  return decoded;
}

interface Escape {
  /** One or two code units. */
  readonly text: string;
  readonly end: number;
}

function decodeOnce(view: TextView): TextView {
  const { codes, starts, ends, length } = view;
  const builder = new ViewBuilder(length);
  for (let at = 0; at < length;) {
    const escape = readEscape(view, at);
    const { text, end } = escape ?? { text: '', end: at + 1 };
    const [start, stop] = [starts[at] as number, ends[end - 1] as number];
    if (!escape) builder.add(codes[at] as number, start, stop);
    for (let index = 0; index < text.length; index++) builder.add(text.charCodeAt(index), start, stop);
    at = end;
  }
  return builder.view();
}

function readEscape(view: TextView, at: number): Escape | undefined {
  switch (view.codes[at]) {
    case percent:
      return readPercent(view, at);
    case ampersand:
      return readEntity(view, at);
    case backslash:
      return readBackslashes(view, at);
    default:
      return undefined;
  }
}

const textAt = ({ codes, length }: TextView, start: number, count: number): string =>
  String.fromCharCode(...codes.subarray(start, Math.min(start + count, length)));

/** The value of a hexadecimal digit; NaN for other code units. */
const hexValues = Float64Array.from({ length: 0x67 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16));
const hexValue = (code: number | undefined): number => hexValues[code ?? 0] ?? NaN;

/** The value of two hexadecimal digits; NaN for other text. Positions after the end have the code unit 0. */
const byteAt = ({ codes }: TextView, at: number): number => hexValue(codes[at]) * 16 + hexValue(codes[at + 1]);

/** The value of four hexadecimal digits; NaN for other text. */
const unitAt = (view: TextView, at: number): number => byteAt(view, at) * 0x100 + byteAt(view, at + 2);

interface Byte {
  readonly byte: number;
  readonly end: number;
}

/** A byte that is percent-encoded once or more. */
function readByte(view: TextView, at: number): Byte | undefined {
  if (view.codes[at] !== percent) return undefined;
  let start = at + 1;
  while (byteAt(view, start) === percent && byteAt(view, start + 2) >= 0) start += 2;
  const byte = byteAt(view, start);
  return byte >= 0 ? { byte, end: start + 2 } : undefined;
}

/** A percent-encoded character, or a byte that is not UTF-8. https://url.spec.whatwg.org/#percent-decode */
function readPercent(view: TextView, at: number): Escape | undefined {
  const unit = view.codes[at + 1] === 0x75 ? unitAt(view, at + 2) : NaN; // `escape` of JavaScript
  if (unit >= 0) return { text: String.fromCharCode(unit), end: at + 6 };
  const first = readByte(view, at);
  if (!first || first.byte < 0xc2) return first && { text: String.fromCharCode(first.byte), end: first.end };
  const count = first.byte < 0xe0 ? 2 : first.byte < 0xf0 ? 3 : 4;
  const bytes = [first];
  for (let next = readByte(view, first.end); next && bytes.length < count; next = readByte(view, next.end)) {
    bytes.push(next);
  }
  const text = utf8.decode(Uint8Array.from(bytes, ({ byte }) => byte));
  const isCharacter = bytes.length === count && (!text.includes('\ufffd') || bytes.every(isOfReplacement));
  return isCharacter
    ? { text, end: (bytes.at(-1) as Byte).end }
    : { text: String.fromCharCode(first.byte), end: first.end };
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whether a byte equals the byte at `index` of U+FFFD in UTF-8. The decoder also returns U+FFFD for invalid bytes. */
const isOfReplacement = ({ byte }: Byte, index: number): boolean => [0xef, 0xbf, 0xbd][index] === byte;

/** The names of ASCII and invisible characters. https://html.spec.whatwg.org/#named-character-references */
const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', AMP: '&', lt: '<', LT: '<', gt: '>', GT: '>', quot: '"', QUOT: '"', apos: "'", nbsp: ' ' },
  ...{ Tab: '\t', NewLine: '\n', excl: '!', num: '#', dollar: '$', percnt: '%', lpar: '(', rpar: ')', ast: '*' },
  ...{ plus: '+', comma: ',', period: '.', sol: '/', colon: ':', semi: ';', equals: '=', quest: '?', commat: '@' },
  ...{ lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', Hat: '^', lowbar: '_', grave: '`', lcub: '{' },
  ...{ lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}', shy: '\xad', zwnj: '\u200c', zwj: '\u200d' },
  ...{ lrm: '\u200e', rlm: '\u200f', NoBreak: '\u2060', af: '\u2061', it: '\u2062', ic: '\u2063' },
  ...{ NonBreakingSpace: ' ', DiacriticalGrave: '`', VerticalLine: '|', UnderBar: '_', midast: '*', fjlig: 'fj' },
  ...{ ApplyFunction: '\u2061', InvisibleTimes: '\u2062', InvisibleComma: '\u2063', ZeroWidthSpace: '\u200b' },
  ...{ NegativeThinSpace: '\u200b', NegativeMediumSpace: '\u200b', NegativeThickSpace: '\u200b' },
  NegativeVeryThinSpace: '\u200b',
};
const maxEntityLength = 'NegativeVeryThinSpace;'.length;

/** The names of the characters from U+00A0 to U+00FF. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot ' +
  'cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml ' +
  'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ' +
  'ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const characters: ReadonlyMap<string, string> = new Map([
  ...latin1.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
  ...Object.entries(entities),
]);

/** A character reference whose ampersand may be escaped itself. */
function readEntity(view: TextView, at: number): Escape | undefined {
  const { codes } = view;
  let start = at + 1;
  while (startsWith(codes, start, 'amp;')) start += 4;
  const isEscaped = start > at + 1;
  if (!isReferenceStart(codes[start])) return isEscaped ? { text: '&', end: start } : undefined;
  const reference = codes[start] === numberSign ? readNumber(view, start + 1) : readName(view, start);
  return reference ?? (isEscaped ? { text: '&', end: start } : undefined);
}

/** Reads a numeric character reference after its number sign. It can have leading zeros, and its semicolon is optional. */
function readNumber(view: TextView, at: number): Escape | undefined {
  const { codes } = view;
  const isHexadecimal = ((codes[at] ?? 0) | 0x20) === 0x78;
  let start = isHexadecimal ? at + 1 : at;
  while (codes[start] === 0x30 && isDigitOf(codes[start + 1], isHexadecimal)) start++;
  const [digits] = (isHexadecimal ? /^[\da-f]{1,8}/i : /^\d{1,10}/).exec(textAt(view, start, 10)) ?? [];
  if (digits === undefined) return undefined;
  const code = Number.parseInt(digits, isHexadecimal ? 16 : 10);
  const end = start + digits.length;
  const text = code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  return { text, end: codes[end] === semicolon ? end + 1 : end };
}

const isDigitOf = (code: number | undefined, isHexadecimal: boolean): boolean =>
  isHexadecimal ? hexValue(code) >= 0 : isDigit(code);

function readName(view: TextView, at: number): Escape | undefined {
  const [whole, name = ''] = /^([A-Za-z][A-Za-z\d]{1,20});/.exec(textAt(view, at, maxEntityLength)) ?? [];
  const text = characters.get(name);
  return whole === undefined || text === undefined ? undefined : { text, end: at + whole.length };
}

function startsWith(codes: Uint16Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (codes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

const isReferenceStart = (code = 0): boolean => code === numberSign || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);

/** Backslashes and the character that they escape. The number of backslashes is ignored, because JSON can contain JSON. */
function readBackslashes(view: TextView, at: number): Escape {
  let start = at + 1;
  while (start < view.length && view.codes[start] === backslash) start++;
  const character = textAt(view, start, 1);
  const code = character === 'u' ? unitAt(view, start + 1) : character === 'x' ? byteAt(view, start + 1) : NaN;
  if (code >= 0) return { text: String.fromCharCode(code), end: start + (character === 'u' ? 5 : 3) };
  if (character === '') return { text: '\\', end: start };
  return { text: 'bfnrt'.includes(character) ? ' ' : character, end: start + 1 };
}

const isDigit = (code: number | undefined): boolean => code !== undefined && code >= 0x30 && code <= 0x39;
const isSeparator = (code: number): boolean => code === space || code === hyphen || (code >= 0x2010 && code <= 0x2015);

/** A folded view without the separators between digits, as in card numbers. */
export function ungroupedView({ codes, starts, ends, length }: TextView): TextView {
  const builder = new ViewBuilder(length);
  for (let at = 0; at < length; at++) {
    const code = codes[at] as number;
    if (isSeparator(code) && isDigit(builder.last) && at + 1 < length && isDigit(codes[at + 1])) continue;
    builder.add(code, starts[at] as number, ends[at] as number);
  }
  return builder.view();
}

/** The minimum length of a line. Encoders break lines after 60, 64 or 76 characters, but a plus sign ends a folded line. */
const minLineLength = 16;

/** A folded view without the white space that breaks the lines of base64; empty for a string without long lines. */
export const unbrokenView = (view: TextView): TextView =>
  hasLongLine(view) ? unspacedView(view) : new ViewBuilder(0).view();

export function unspacedView({ codes, starts, ends, length }: TextView): TextView {
  const builder = new ViewBuilder(length);
  for (let at = 0; at < length; at++) {
    const code = codes[at] as number;
    if (code !== space) builder.add(code, starts[at] as number, ends[at] as number);
  }
  return builder.view();
}

function hasLongLine({ codes, length }: TextView): boolean {
  let start = 0;
  for (let at = 0; at < length; at++) {
    if (codes[at] !== space) continue;
    if (at - start >= minLineLength) return true;
    start = at + 1;
  }
  return false;
}
