import { endOfString } from './code-blocks.js';
import { MaskBuilder, type Block, type MaskedText } from './masked-text.js';

const opener = /@\*|@[{(]|@[a-zA-Z_]\w*|[{}]/g;
/** Directives that extend to the end of the line. */
const ofLine =
  /^@(?:model|page|inject|addTagHelper|removeTagHelper|tagHelperPrefix|namespace|inherits|layout|implements|attribute|typeparam|rendermode|preservewhitespace|using(?!\s*\())\b/;
/** Statements with a block of markup. */
const statement = /^@(?:if|for|foreach|while|switch|using|lock|do|try|section)\b/;
const codeBlock = /^@(?:code|functions)\b/;
const loop = /\b(?:for|foreach|while)\s*$/;
const afterBlock = /\s*(?:else(?:\s+if)?|catch|finally|while)\b/y;

/** Masks the code of Razor: https://learn.microsoft.com/aspnet/core/mvc/views/razor */
export function maskRazor(source: string): MaskedText {
  const builder = new MaskBuilder(source);
  const razor = new RazorMasker(builder);
  opener.lastIndex = 0;
  for (let match = opener.exec(source); match; match = opener.exec(source))
    opener.lastIndex = razor.read(match[0], match.index);
  return builder.finish();
}

class RazorMasker {
  readonly #builder: MaskBuilder;
  readonly #source: string;
  readonly #brackets: Brackets;
  /** For each open brace since the first statement, whether it begins the block of a statement. */
  readonly #open: boolean[] = [];

  constructor(builder: MaskBuilder) {
    this.#builder = builder;
    this.#source = builder.source;
    this.#brackets = new Brackets(builder.source);
  }

  /** Returns the offset where the search continues. */
  read(text: string, at: number): number {
    if (text === '{' || text === '}') return this.#readBrace(text, at);
    const before = this.#source.slice(Math.max(0, at - 1), at);
    if (before === '@' || (/[\w.]/.test(before) && text !== '@*')) return at + text.length; // @@, or an email address
    if (text === '@*') return this.#hide(at, endAt(this.#source, '*@', at + 2));
    if (text === '@{') return this.#hideCode(at, this.#brackets.after(at + 1));
    if (text === '@(') return this.#hideCode(at, this.#brackets.after(at + 1));
    const rest = this.#source.slice(at, at + 200);
    if (/^@[a-zA-Z][\w:.-]*\s*=(?!=)/.test(rest) && /\s/.test(before)) return at + text.length; // an attribute of Blazor
    if (ofLine.test(rest)) return this.#hide(at, endAt(this.#source, '\n', at) - 1);
    const brace = codeBlock.test(rest) ? this.#source.indexOf('{', at) : -1;
    if (brace >= 0) return this.#hideCode(at, this.#brackets.after(brace));
    return statement.test(rest)
      ? this.#hideHead(at, at + text.length)
      : this.#hideCode(at, afterExpression(this.#source, at + 1, this.#brackets));
  }

  #readBrace(text: string, at: number): number {
    if (this.#open.length === 0) return at + 1;
    if (text === '{') {
      const head = this.#source.slice(Math.max(0, at - 300), at);
      const isLoop = loop.test(head.replace(/\([^{}]*\)\s*$/, ''));
      this.#open.push(isLoop);
      return isLoop ? this.#hide(at, at + 1, [{ opens: '{', isLoop }]) : at + 1;
    }
    if (this.#open.pop() !== true) return at + 1;
    afterBlock.lastIndex = at + 1;
    if (!afterBlock.test(this.#source)) return this.#hide(at, at + 1, [{ closes: '{' }]);
    return this.#hideHead(at, afterBlock.lastIndex, [{ closes: '{' }]);
  }

  /** Hides a statement up to the brace that begins its block. */
  #hideHead(at: number, from: number, blocks: readonly Block[] = []): number {
    const open = afterCondition(this.#source, from, this.#brackets);
    if (open < 0) return this.#hide(at, from, blocks);
    const isLoop = /^@(?:for|foreach|while|do)\b/.test(this.#source.slice(at, at + 10));
    this.#open.push(true);
    this.#builder.findCodeForms(at, open);
    return this.#hide(at, open, [...blocks, { opens: '{', isLoop }]);
  }

  #hideCode(at: number, end: number): number {
    this.#builder.findCodeForms(at, end);
    return this.#hide(at, end);
  }

  #hide(at: number, end: number, blocks: readonly Block[] = []): number {
    const after = Math.max(at + 1, end);
    this.#builder.hide(at, after, blocks);
    return after;
  }
}

const endAt = (source: string, text: string, from: number): number => {
  const at = source.indexOf(text, from);
  return at < 0 ? source.length : at + text.length;
};

/** The offset after the brace that begins a block; -1 without it. A name and a condition may precede the brace. */
function afterCondition(source: string, from: number, brackets: Brackets): number {
  const head = /\s*(\w+\s*)?/y;
  head.lastIndex = from;
  head.test(source);
  const at = source.charAt(head.lastIndex) === '(' ? brackets.after(head.lastIndex) : head.lastIndex;
  const brace = /\s*\{/y;
  brace.lastIndex = at;
  return brace.test(source) ? brace.lastIndex : -1;
}

/** The end of `Model.Name`, `Html.Raw(a)`, `await F()` and `items[0]?.Name`. */
function afterExpression(source: string, from: number, brackets: Brackets): number {
  const word = /(?:await\s+)?[A-Za-z_]\w*|\?(?=[.[])|\.(?=[A-Za-z_])/y;
  let at = from;
  for (;;) {
    word.lastIndex = at;
    if (word.test(source)) at = word.lastIndex;
    else if (/[([]/.test(source.charAt(at))) at = brackets.after(at);
    else return at;
    if (!/[.?([]/.test(source.charAt(at)) && !/[.?]/.test(source.charAt(at - 1))) return at;
  }
}

/** The maximum length of a construct, and the maximum total length of the searches in unclosed constructs. */
const maxCode = 50_000;
const maxSearched = 2_000_000;

/** Finds the ends of brackets. */
class Brackets {
  readonly #source: string;
  #left = maxSearched;

  constructor(source: string) {
    this.#source = source;
  }

  /** The offset after the closing bracket for the bracket at `start`; `start + 1` if it is not closed. */
  after(start: number): number {
    const end = this.#left > 0 ? afterBalanced(this.#source, start) : -1;
    if (end < 0) this.#left -= Math.min(maxCode, this.#source.length - start);
    return end < 0 ? start + 1 : end;
  }
}

function afterBalanced(source: string, start: number): number {
  const marks = /[([{)\]}]|\/\/|\/\*|@\*|"|'/g;
  marks.lastIndex = start;
  let depth = 0;
  for (let match = marks.exec(source); match && match.index < start + maxCode; match = marks.exec(source)) {
    const [mark] = match;
    if (/[([{]/.test(mark)) depth++;
    else if (/[)\]}]/.test(mark) && --depth === 0) return marks.lastIndex;
    else if (mark === '//' && source.charAt(match.index - 1) !== ':')
      marks.lastIndex = endAt(source, '\n', match.index);
    else if (mark === '/*') marks.lastIndex = endAt(source, '*/', match.index);
    else if (mark === '@*') marks.lastIndex = endAt(source, '*@', match.index);
    else if (mark === '"') marks.lastIndex = endOfText(source, match.index);
    else if (mark === "'")
      marks.lastIndex =
        match.index + (/^'(?:\\.|[^\\'])'/.exec(source.slice(match.index, match.index + 4))?.[0].length ?? 1);
  }
  return -1;
}

/** A string in quotes. In a verbatim string, which begins with `@`, a backslash is an ordinary character. */
function endOfText(source: string, at: number): number {
  return source.charAt(at - 1) === '@' ? endAt(source, '"', at + 1) : endOfString(source, '"', at);
}
