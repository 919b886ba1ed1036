/** JSON as text: numbers are never read, so none is changed. */

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** JSON text with line breaks, and nothing else changed; undefined for what is no JSON. */
export function formatJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const pieces: string[] = [];
  let depth = 0;
  let isEmpty = false;
  const line = (): string => `\n${'  '.repeat(Math.min(depth, 50))}`;
  for (const [token] of text.matchAll(tokens)) {
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth--;
    if (isEnd ? !isEmpty : isEmpty) pieces.push(line());
    pieces.push(token === ':' ? ': ' : token);
    isEmpty = token === '{' || token === '[';
    if (isEmpty) depth++;
    if (token === ',') pieces.push(line());
  }
  return pieces.join('');
}

/** Where text is no JSON. */
export interface Fault {
  readonly line: number;
  readonly column: number;
}

/** A number that would become another one. */
export interface Inexact {
  readonly line: number;
  readonly number: string;
  readonly other: string;
}

export type Parsed = { readonly value: unknown } | { readonly fault: Fault } | { readonly inexact: Inexact };

/** Reads JSON text. Says where it is none, and does not change a number that JSON cannot hold. */
export function parseJson(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: positionIn(text, new Scanner(text).fault()) };
  }
  const inexact = findInexact(text);
  return inexact ? { inexact } : { value };
}

function positionIn(text: string, index: number): Fault {
  const lines = text.slice(0, index).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function findInexact(text: string): Inexact | undefined {
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (!/^[-\d]/.test(token) || isExact(token)) continue;
    return { line: positionIn(text, index).line, number: token, other: String(Number(token)) };
  }
  return undefined;
}

/** Digits and exponent of a decimal, the same for all ways to write it. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  return `${sign}${short}e${String(Number(exponent) - fraction.length + digits.length - short.length)}`;
}

/** Whether a number comes out of a script as it was written. */
export const isExact = (text: string): boolean =>
  Number.isFinite(Number(text)) && decimal(text) === decimal(String(Number(text)));

/** Finds the first character that JSON has not at its place; browsers say it differently, or not at all. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fault(): number {
    try {
      if (this.#value()) this.#take(/$/y);
    } catch {
      // nested too deeply: the position so far
    }
    return this.#at;
  }

  #take(pattern: RegExp): boolean {
    this.#skip();
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #skip(): void {
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#at))) this.#at++;
  }

  #value(): boolean {
    if (this.#take(/\{/y)) return this.#list(/\}/y, () => this.#string() && this.#take(/:/y) && this.#value());
    if (this.#take(/\[/y)) return this.#list(/\]/y, () => this.#value());
    return this.#string() || this.#take(/(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y);
  }

  #string(): boolean {
    return this.#take(/"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y);
  }

  #list(end: RegExp, item: () => boolean): boolean {
    if (this.#take(end)) return true;
    do if (!item()) return false;
    while (this.#take(/,/y));
    return this.#take(end);
  }
}
