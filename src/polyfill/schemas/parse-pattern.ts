/** The pattern needs backtracking, or exceeds a limit. */
export class UnsupportedPatternError extends Error {}

/** Tests a position of a text. */
export type Test = (characters: readonly string[], position: number) => boolean;

export type PatternNode =
  | { readonly kind: 'character' | 'assertion'; readonly test: Test }
  | { readonly kind: 'alternatives'; readonly nodes: readonly (readonly PatternNode[])[] }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly min: number; readonly max: number };

const maxLength = 5_000;

const isWord = (character = ''): boolean => /^\w$/.test(character);

const assertions: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['^', (_, position) => position === 0],
  ['$', (characters, position) => position === characters.length],
  ['\\b', (characters, position) => isWord(characters[position - 1]) !== isWord(characters[position])],
  ['\\B', (characters, position) => isWord(characters[position - 1]) === isWord(characters[position])],
]);

const unsupported = /\(\?(?!:|<[^=!])|\\[1-9k]/uy;
const group = /\((?:\?:|\?<[^>]*>)?/uy;
const element =
  /\[(?:\\.|[^\]\\])*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\.|./suy;
const quantifier = /(?:[*+?]|\{(?<min>\d+)(?<comma>,?)(?<max>\d*)\})\??/uy;

/**
 * Parses a pattern with the flag `u`.
 *
 * @throws {UnsupportedPatternError} if it is long, or has back references or lookarounds
 */
export function parsePattern(source: string): PatternNode {
  if (source.length > maxLength) throw new UnsupportedPatternError(`it has more than ${maxLength} characters`);
  void new RegExp(source, 'u'); // throws if it is invalid, so that the parser does not have to
  return new Parser(source).alternatives();
}

class Parser {
  readonly #source: string;
  readonly #tests = new Map<string, Test>();
  #position = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): PatternNode {
    const nodes: PatternNode[][] = [[]];
    while (this.#position < this.#source.length && this.#source[this.#position] !== ')') {
      if (this.#source[this.#position] === '|') {
        this.#position++;
        nodes.push([]);
      } else nodes.at(-1)?.push(this.#repeated());
    }
    return { kind: 'alternatives', nodes };
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#source);
    if (found) this.#position += found[0].length;
    return found;
  }

  #repeated(): PatternNode {
    const node = this.#element();
    const found = this.#take(quantifier);
    if (!found) return node;
    const { min, comma, max } = found.groups ?? {};
    const [sign] = found[0];
    if (min === undefined) return { kind: 'repeat', node, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    return { kind: 'repeat', node, min: Number(min), max: max ? Number(max) : comma ? Infinity : Number(min) };
  }

  #element(): PatternNode {
    if (this.#take(unsupported)) throw new UnsupportedPatternError('it has a back reference or a lookaround');
    if (this.#take(group)) {
      const node = this.alternatives();
      this.#position++;
      return node;
    }
    const [text = ''] = this.#take(element) ?? [];
    const assertion = assertions.get(text);
    return assertion ? { kind: 'assertion', test: assertion } : { kind: 'character', test: this.#testOf(text) };
  }

  #testOf(text: string): Test {
    const test = this.#tests.get(text) ?? characterTest(text);
    this.#tests.set(text, test);
    return test;
  }
}

function characterTest(text: string): Test {
  if (/^[^\\.[]$/u.test(text)) return (characters, position) => characters[position] === text;
  const pattern = new RegExp(`^${text}$`, 'u');
  return (characters, position) => pattern.test(characters[position] ?? '');
}
