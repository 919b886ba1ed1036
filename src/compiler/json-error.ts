const token = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;
/** A part of a string. A regular expression for the whole of a long string can overflow the stack. */
const stringPart = /[^"\\\0-\x1f]{1,1000}|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const space = /[\t\n\r ]*/y;

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd';

class JsonGrammar {
  #expected: Expected | undefined = 'value';
  readonly #open: string[] = [];

  accept(text: string): boolean {
    if (text === '}' || text === ']') return this.#close(text);
    if (this.#expected === 'key' || this.#expected === 'keyOrEnd') return text.startsWith('"') && this.#expect('colon');
    if (text === ':') return this.#expected === 'colon' && this.#expect('value');
    if (text === ',')
      return this.#expected === 'commaOrEnd' && this.#expect(this.#open.at(-1) === '}' ? 'key' : 'value');
    return (this.#expected === 'value' || this.#expected === 'valueOrEnd') && this.#begin(text);
  }

  #expect(expected: Expected | undefined): true {
    this.#expected = expected;
    return true;
  }

  #begin(text: string): true {
    if (text !== '{' && text !== '[') return this.#end();
    this.#open.push(text === '{' ? '}' : ']');
    return this.#expect(text === '{' ? 'keyOrEnd' : 'valueOrEnd');
  }

  #close(text: string): boolean {
    if (this.#expected?.endsWith('OrEnd') !== true || this.#open.at(-1) !== text) return false;
    this.#open.pop();
    return this.#end();
  }

  #end(): true {
    return this.#expect(this.#open.length > 0 ? 'commaOrEnd' : undefined);
  }
}

const match = (pattern: RegExp, text: string, index: number): string => {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? '';
};

function stringAt(text: string, start: number): string {
  let end = start + 1;
  for (let part = match(stringPart, text, end); part !== ''; part = match(stringPart, text, end)) end += part.length;
  return text.charAt(end) === '"' ? text.slice(start, end + 1) : '';
}

const tokenAt = (text: string, index: number): string =>
  text.charAt(index) === '"' ? stringAt(text, index) : match(token, text, index);

/** The index of the first error in invalid JSON. The error messages of browsers do not always include it. */
export function findJsonError(text: string): number {
  const grammar = new JsonGrammar();
  for (let index = 0; ;) {
    index += match(space, text, index).length;
    const found = tokenAt(text, index);
    if (found === '' || !grammar.accept(found)) return index;
    index += found.length;
  }
}

/** Formats an index as a 1-based line and column. */
export function formatPosition(text: string, index: number): string {
  const lines = text.slice(0, index).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}
