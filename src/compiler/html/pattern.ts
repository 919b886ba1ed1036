import { memoize } from '../../lazy.js';

export interface AnchorOptions {
  /** Whether the control may be empty, whatever its pattern and minimum length. */
  readonly optional: boolean;
  /** Whether the control's value sanitization algorithm strips newlines. */
  readonly singleLine: boolean;
  /** In code points. Only for optional controls, for which JSON Schema's `minLength` would reject the empty string. */
  readonly minLength?: number | undefined;
}

/** The matches of a `v` flag class, as sources for the `u` flag. */
interface CharacterSet {
  members: string;
  /** A source for code points that cannot be written in a class; may be empty. */
  other: string;
  /** Sources of strings that are not exactly one code point, with their lengths. */
  readonly strings: Map<string, number>;
}

const ANY = '[\\s\\S]';
const NO_LINE_BREAK = '[^\\n\\r]';
const UNSUPPORTED = '\\q';
const MAX_CLASS_DEPTH = 100;
const TOKEN = /\\(?:q\{|[pPu]\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|[^])|\[\^?|--|&&|\(\?[ms]*i|[^]/gu;
/** The atoms of the `u` flag that can match a line break, and every escape. */
const ATOM = /\[(?:\\[^]|[^\\\]])*\]|\\(?:[pPu]\{[^}]*\}|u.{4}|x..|c.|[^])|\(\?[im]*s|[\n\r]/g;
const LOOKAHEADS: Readonly<Record<string, string>> = { '--': '(?!', '&&': '(?=' };

// https://html.spec.whatwg.org/multipage/input.html#compiled-pattern-regular-expression
export const isValidPattern = memoize((pattern) => compiles(pattern, compiles('', 'v') ? 'v' : 'u'));

/**
 * Translates a pattern to the `u` flag, which JSON Schema uses. Returns undefined for invalid patterns and unsupported
 * features: properties of strings, the modifier `i`, classes nested more than 100 deep.
 */
export const unicodePattern = memoize(translate);

function translate(pattern: string): string | undefined {
  const tokens = pattern.match(TOKEN) ?? [];
  if (!isValidPattern(pattern) || isUnsupported(tokens)) return undefined;
  if (compiles(pattern, 'u') && !pattern.match(ATOM)?.some((atom) => /^\[.*(--|&&)/s.test(atom))) return pattern;
  tokens.reverse();
  let source = '';
  for (const token of popUntil(tokens)) source += token[0] === '[' ? atom(operand(token, tokens)) : token;
  source = source.replaceAll('&&', '&\\x26'); // consumers with the `v` flag parse && as an operator
  return compiles(source, 'u') ? source : undefined;
}

/** Whether a string with a line break may match. False positives are possible, false negatives are not. */
export const mayMatchLineBreak = memoize((pattern) => {
  const source = unicodePattern(pattern);
  return source === undefined || [...new Set(source.match(ATOM))].some(matchesLineBreak);
});

export function plainPattern({ optional, singleLine, minLength = 0 }: AnchorOptions): string | undefined {
  const character = singleLine ? NO_LINE_BREAK : ANY;
  if (optional && minLength > 1) return `^(?:${character}{${minLength},})?$`;
  return singleLine ? `^${character}*$` : undefined;
}

/** Builds JSON Schema's `pattern` from a result of `unicodePattern`. */
export function anchored(pattern: string, options: AnchorOptions): string {
  const plain = plainPattern({ ...options, singleLine: options.singleLine && mayMatchLineBreak(pattern) });
  const ahead = plain ? `(?=${plain.slice(1)})` : '';
  return `^${ahead}(?:${pattern})${options.optional ? '?' : ''}$`;
}

function compiles(source: string, flags: string): boolean {
  try {
    return !!new RegExp(source, flags);
  } catch {
    return false;
  }
}

function isUnsupported(tokens: readonly string[]): boolean {
  let depth = 0;
  return tokens.some((token) => {
    if (token[0] === '[') depth++;
    if (token === ']') depth--;
    return depth > MAX_CLASS_DEPTH || token.startsWith('(?');
  });
}

/** Pops the tokens of a reversed list up to `end`, and yields all of them except `end`. */
function* popUntil(tokens: string[], end?: string): Generator<string, void> {
  for (let token = tokens.pop(); token !== undefined && token !== end; token = tokens.pop()) yield token;
}

function characterSet(members = '', other = ''): CharacterSet {
  return { members, other, strings: new Map() };
}

function operand(token: string, tokens: string[]): CharacterSet {
  if (token === '\\q{') return classStrings(tokens);
  if (token[0] !== '[') return characterSet(member(token));
  const set = classContents(tokens);
  if (token === '[') return set;
  return characterSet('', set.other ? `(?!${codePoints(set)})${ANY}` : `[^${set.members}]`);
}

function classContents(tokens: string[]): CharacterSet {
  const set = characterSet();
  let lookahead: string | undefined;
  for (const token of popUntil(tokens, ']')) {
    if (LOOKAHEADS[token]) lookahead = LOOKAHEADS[token];
    else if (lookahead) restrict(set, lookahead, operand(token, tokens));
    else extend(set, operand(token, tokens));
  }
  return set;
}

function classStrings(tokens: string[]): CharacterSet {
  const set = characterSet();
  let string: string[] = [];
  for (const token of [...popUntil(tokens, '}'), '|']) {
    if (token !== '|') string.push(token);
    else {
      if (string.length === 1) set.members += string.map(member).join('');
      else set.strings.set(string.map(literal).join(''), string.length);
      string = [];
    }
  }
  return set;
}

function extend(set: CharacterSet, { members, other, strings }: CharacterSet): void {
  set.members += members;
  set.other = either(set.other, other);
  for (const [string, length] of strings) set.strings.set(string, length);
}

function restrict(set: CharacterSet, lookahead: string, operand: CharacterSet): void {
  const subtracts = lookahead === '(?!';
  set.other = `${lookahead}${codePoints(operand)})${codePoints(set)}`;
  set.members = '';
  for (const string of (subtracts ? operand : set).strings.keys()) {
    if (operand.strings.has(string) === subtracts) set.strings.delete(string);
  }
}

/**
 * A source for one character that matches either source. Contains a lookahead, because overlapping alternatives under a
 * quantifier can take exponential time.
 */
function either(first: string, second: string): string {
  return first && second ? `(?=${first}|${second})${ANY}` : first || second;
}

function codePoints({ members, other }: CharacterSet): string {
  return either(members && `[${members}]`, other) || '[]';
}

// https://tc39.es/ecma262/#sec-compileatom
function atom(set: CharacterSet): string {
  const single = codePoints(set);
  if (single[0] === '[' && !set.strings.size) return single;
  const longestFirst = [...set.strings.set(single, 1)].sort((a, b) => b[1] - a[1]);
  return `(?:${longestFirst.map(([source]) => source).join('|')})`;
}

function member(token: string): string {
  const character = decoded(token);
  if (/^[\ud800-\udfff]$/.test(character)) return escaped(character); // a bare surrogate would pair with its neighbor
  return token === '^' ? '\\^' : token.replace(/^\\(?=[&!#%,:;<=>@`~])/, '');
}

/** Returns the canonical source of a character, so that equal strings have equal sources. */
function literal(token: string): string {
  const character = decoded(token).replace(/^\\(?=\W)/, '');
  if (/^\\\w/.test(character)) return UNSUPPORTED;
  return /\w/.test(character) ? character : escaped(character);
}

function decoded(token: string): string {
  return token.replace(/\\[ux]\{?(\w+)\}?/g, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)));
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Whether an atom can match a line break. Does not run the author's whole pattern, which can take exponential time. */
function matchesLineBreak(atom: string): boolean {
  if (atom[0] === '(') return true;
  if (/^\\[k\d]/.test(atom)) return false;
  return '\n\r'.replace(new RegExp(atom, 'u'), '').length < 2;
}
