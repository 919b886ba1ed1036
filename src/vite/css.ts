import type { Plugin } from 'vite';

export interface RewrittenCss {
  readonly code: string;
  readonly map: string;
}

const names = 'tool-form-active|tool-submit-active';
const mentions = new RegExp(`:(?:${names})`, 'i');

/**
 * The tokens that delimit preludes, and the pseudo-classes in them. Strings, comments, escapes, URLs, pseudo-elements
 * and rewritten selectors are tokens as well, so that they are skipped as a whole.
 */
const tokens = new RegExp(
  String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|/\*.*?\*/|\\.|url\((?!\s*["'])(?:\\.|[^)\\])*\)|::[-\w]+|` +
    String.raw`:is\(:(?:${names}),\s?\.\\:(?:${names})\)|:(?<name>${names})(?![-\w\\(\u0080-\uffff])|["'(){};[\]]`,
  'gis',
);

/** A selector list with an unknown pseudo-class is invalid, except inside `:is()`. */
const withFallback = (name: string): string => `:is(:${name}, .\\:${name})`;

/** For an unknown pseudo-class, `@supports selector()` is false even inside `:is()`. */
const atRules: Readonly<Record<string, (name: string) => string>> = {
  supports: (name) => `.\\:${name}`,
  scope: withFallback,
};

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Makes the rules for `:tool-form-active` and `:tool-submit-active` work in every browser: each pseudo-class becomes an
 * `:is()` of itself and the class that the polyfill sets, with the same specificity.
 *
 * @returns undefined if nothing changes, or if the text is not valid CSS
 */
export function rewriteCss(css: string, file: string): RewrittenCss | undefined {
  const edits = mentions.test(css) ? new PreludeScanner(css).scan() : [];
  if (edits.length === 0) return undefined;
  let code = '';
  let end = 0;
  for (const edit of edits) {
    code += css.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return { code: code + css.slice(end), map: sourceMap(css, file, edits) };
}

/** Finds the pseudo-classes in preludes: the texts between `{`, `}` or `;` and the next `{`, outside brackets. */
class PreludeScanner {
  readonly #css: string;
  readonly #edits: Edit[] = [];
  #found: { readonly name: string; readonly start: number; readonly end: number }[] = [];
  #start = 0;
  #blocks = 0;
  #brackets = 0;

  constructor(css: string) {
    this.#css = css;
  }

  /** Returns no edits if brackets or quotes are unbalanced. */
  scan(): readonly Edit[] {
    for (const { 0: token, index, groups } of this.#css.matchAll(tokens)) {
      const name = groups?.['name']?.toLowerCase();
      if (name !== undefined) this.#found.push({ name, start: index, end: index + token.length });
      else if (token === '"' || token === "'" || !this.#handlePunctuation(token, index)) return [];
    }
    return this.#blocks === 0 && this.#brackets === 0 ? this.#edits : [];
  }

  #handlePunctuation(token: string, index: number): boolean {
    const isOpening = token === '(' || token === '[' || (token === '{' && this.#isInValue(index));
    const isClosing = token === ')' || token === ']' || (token === '}' && this.#brackets > 0);
    if (isOpening || isClosing) this.#brackets += isOpening ? 1 : -1;
    else if (this.#brackets === 0 && /^[{};]$/.test(token)) this.#endStatement(token, index);
    return this.#blocks >= 0 && this.#brackets >= 0;
  }

  /** Whether a block is part of a value, as in a custom property. */
  #isInValue(index: number): boolean {
    return this.#brackets > 0 || /^\s*--[^\s:]*\s*:/.test(this.#prelude(index));
  }

  #endStatement(token: string, index: number): void {
    const write = token === '{' ? replacementIn(this.#prelude(index)) : undefined;
    if (write) for (const { name, start, end } of this.#found) this.#edits.push({ start, end, text: write(name) });
    if (token !== ';') this.#blocks += token === '{' ? 1 : -1;
    this.#found = [];
    this.#start = index + 1;
  }

  #prelude(end: number): string {
    return this.#css.slice(this.#start, end).replace(/\/\*.*?\*\//gs, '');
  }
}

function replacementIn(prelude: string): ((name: string) => string) | undefined {
  const atRule = /^\s*@([-\w]+)/.exec(prelude)?.[1]?.toLowerCase();
  if (atRule === undefined) return withFallback;
  return Object.hasOwn(atRules, atRule) ? atRules[atRule] : undefined;
}

/** A source map with a segment for the start of each line and the end of each edit. https://tc39.es/ecma426/ */
function sourceMap(css: string, file: string, edits: readonly Edit[]): string {
  const remaining = [...edits].reverse();
  let lineStart = 0;
  let column = 0; // of the previous segment
  const mappings = css.split('\n').map((line, number) => {
    const segments = [encode(0, 0, number === 0 ? 0 : 1, -column)];
    column = 0;
    for (let edit = remaining.at(-1); edit && edit.end <= lineStart + line.length; edit = remaining.at(-1)) {
      const advance = edit.end - lineStart - column;
      segments.push(encode(advance + edit.text.length - (edit.end - edit.start), 0, 0, advance));
      column += advance;
      remaining.pop();
    }
    lineStart += line.length + 1;
    return segments.join(',');
  });
  return JSON.stringify({
    version: 3,
    sources: [file],
    sourcesContent: [css],
    names: [],
    mappings: mappings.join(';'),
  });
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 VLQ: five bits per digit, the sign in the lowest bit, the sixth bit for continuation. */
const encode = (...numbers: readonly number[]): string =>
  numbers
    .map((number) => {
      let digits = '';
      let rest = number < 0 ? -number * 2 + 1 : number * 2;
      for (; rest > 31; rest >>>= 5) digits += base64.charAt((rest & 31) | 32);
      return digits + base64.charAt(rest);
    })
    .join('');

const isStyleSheet = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|\?)/;
/** Queries for which Vite does not return a style sheet. */
const isOther = /[?&](?:worker|sharedworker|raw|url)\b/;

/** A plugin without `enforce` runs after preprocessors and CSS modules. */
export const cssPlugin = (): Plugin => ({
  name: 'webmcp-forms:css',
  transform: {
    filter: { id: { include: isStyleSheet, exclude: isOther }, code: mentions },
    handler(code, id) {
      if (!isStyleSheet.test(id) || isOther.test(id)) return null; // Vite before 6.3 ignores `filter`
      return rewriteCss(code, id.replace(/[?#].*$/s, '')) ?? null;
    },
  },
});
