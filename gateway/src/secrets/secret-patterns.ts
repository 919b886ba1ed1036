/** Secrets beyond this number of patterns are not searched for, so that a page cannot make a call expensive. */
const maxPatterns = 8;

/** V8 does not optimize patterns above 20 kB. */
const maxPatternLength = 16_000;

/** The length of a pattern bounds the time at each position of a text, so longer secrets are searched for in pieces. */
const maxPieceLength = 100;

/**
 * Regular expressions that match secrets unencoded and in the encodings of URLs, HTML and JSON, also encoded twice.
 *
 * @param secrets - in descending order of importance
 */
export function secretPatterns(secrets: readonly string[]): readonly RegExp[] {
  const batches: Atoms[][] = [];
  let room = 0;
  const pieces = new Map(secrets.flatMap(piecesOf).map((piece) => [piece.join(''), piece]));
  for (const [{ length }, piece] of pieces) {
    if (length > room) {
      if (batches.length === maxPatterns) break;
      batches.push([]);
      room = maxPatternLength;
    }
    room -= length;
    batches.at(-1)?.push(piece);
  }
  return batches.map((batch) => new RegExp(sourceOf(batch.sort((one, other) => other.length - one.length)), 'g'));
}

/** A text as the sources of regular expressions, each of which matches a character. */
type Atoms = readonly string[];

function piecesOf(secret: string): readonly Atoms[] {
  const atoms = /^\d{12,}$/.test(secret)
    ? groupedDigits(secret)
    : (secret.match(/\\+[^\\]?|[^\\]/gu) ?? []).map(atomOf);
  const count = Math.ceil(atoms.length / maxPieceLength);
  const size = Math.ceil(atoms.length / count);
  return Array.from({ length: count }, (_, index) => atoms.slice(index * size, (index + 1) * size));
}

/** Digits that may be separated, as in card numbers. */
const groupedDigits = (digits: string): Atoms =>
  Array.from(digits, (digit, index) => (index > 0 ? '(?:[\\s+\\u2010-\\u2015-]|%20|&nbsp;)?' : '') + digit);

/** @param text - a character and the backslashes before it. Separate atoms for the two would take exponential time */
function atomOf(text: string): string {
  const [, { length }, character] = /^(\\*)([^]?)$/u.exec(text) as unknown as [string, string, string];
  const isPlain = /^[a-z\d]?$/i.test(character);
  const encodedSlashes = [percentEncoded('\\'), entity('\\')].map((slash) => `(?:${slash}){${length}}`).join('|');
  const slashes = length > 0 ? `(?:\\\\{${length},${length * 4 + 3}}|${encodedSlashes})` : isPlain ? '' : '\\\\{0,3}';
  return slashes + (isPlain ? character : encodings(character));
}

function encodings(character: string): string {
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
  const form = character === ' ' ? '|\\+|%2[Bb]' : '';
  return `(?:${literal}|${percentEncoded(character)}${form}|${entity(character)}|${jsonEscaped(character)})`;
}

const hex = (code: number, length = 1): string =>
  code
    .toString(16)
    .padStart(length, '0')
    .replace(/[a-f]/g, (digit) => `[${digit.toUpperCase()}${digit}]`);

const percentEncoded = (character: string): string =>
  Array.from(new TextEncoder().encode(character), (byte) => `%(?:25)?${hex(byte, 2)}`).join('');

const names: Readonly<Record<string, string>> = {
  '&': '|amp',
  '<': '|lt',
  '>': '|gt',
  '"': '|quot',
  "'": '|apos',
  '\xa0': '|nbsp',
};

function entity(character: string): string {
  const code = character.codePointAt(0) as number;
  return `&(?:amp;)?(?:#0{0,4}${code}|#[Xx]0{0,4}${hex(code)}${names[character] ?? ''});`;
}

const letters: Readonly<Record<string, string>> = { '\b': '|b', '\f': '|f', '\n': '|n', '\r': '|r', '\t': '|t' };

/** Excludes the leading backslashes. */
function jsonEscaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => `u${hex(character.charCodeAt(index), 4)}`);
  return units.join('\\\\{1,2}') + (letters[character] ?? '');
}

/** A source that matches common prefixes once, and prefers longer texts. */
function sourceOf(texts: readonly Atoms[]): string {
  const groups = new Map<string, Atoms[]>();
  for (const [atom = '', ...rest] of texts) {
    const group = groups.get(atom);
    if (group) group.push(rest);
    else groups.set(atom, [rest]);
  }
  const branches = Array.from(groups, ([atom, rest]) => (atom === '' ? '' : atom + sourceOf(rest)));
  return branches.length > 1 ? `(?:${branches.join('|')})` : branches.join('');
}
