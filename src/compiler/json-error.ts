const token =
  /"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;
const space = /[\t\n\r ]*/y;

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd';

/** Reads the tokens of a JSON text; `next` says what may follow one, undefined where it may not stand. */
class Reader {
  expected: Expected | undefined = 'value';
  readonly #open: string[] = [];

  /** Whether a token may stand here. */
  take(text: string): boolean {
    const isKey = this.expected === 'key' || this.expected === 'keyOrEnd';
    if (text === '}' || text === ']') return this.#close(text);
    if (isKey) return text.startsWith('"') && this.#expect('colon');
    if (text === ':') return this.expected === 'colon' && this.#expect('value');
    if (text === ',') return this.#takeComma();
    return (this.expected === 'value' || this.expected === 'valueOrEnd') && this.#begin(text);
  }

  #expect(expected: Expected | undefined): true {
    this.expected = expected;
    return true;
  }

  #takeComma(): boolean {
    return this.expected === 'commaOrEnd' && this.#expect(this.#open.at(-1) === '}' ? 'key' : 'value');
  }

  #begin(text: string): true {
    if (text !== '{' && text !== '[') return this.#end();
    this.#open.push(text === '{' ? '}' : ']');
    return this.#expect(text === '{' ? 'keyOrEnd' : 'valueOrEnd');
  }

  #close(text: string): boolean {
    const mayEnd = this.expected?.endsWith('OrEnd') === true && this.#open.at(-1) === text;
    if (mayEnd) this.#open.pop();
    return mayEnd && this.#end();
  }

  #end(): true {
    return this.#expect(this.#open.length > 0 ? 'commaOrEnd' : undefined);
  }
}

const match = (pattern: RegExp, text: string, index: number): string => {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? '';
};

/** Where a text stops being JSON, as an index. Browsers say it each in its own words, or not at all. */
export function findJsonError(text: string): number {
  const reader = new Reader();
  for (let index = 0; ;) {
    index += match(space, text, index).length;
    const found = match(token, text, index);
    if (found === '' || !reader.take(found)) return index;
    index += found.length;
  }
}

/** An index as a person counts: lines and columns from 1. */
export function formatPosition(text: string, index: number): string {
  const lines = text.slice(0, index).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}
