import { tokTypes } from 'acorn';
import { voidElements } from '../../tags/scan-tags.js';
import type { MaskedText } from '../masked-text.js';
import { JsxMasker } from './mask-jsx.js';
import { JsxParser, parseModule, type SyntaxNode } from './parse-jsx.js';

const { tokTypes: jsxTypes, tokContexts: jsxContexts } = JsxParser.acornTypeScript;

const text = /(?:[^<{]+|<(?![\p{ID_Start}$_/>!]))+/uy;
const comments = /(?:<!--[^]*?-->|<!(?!--)[^>]*>)+/y;
const rawContents: ReadonlyMap<unknown, RegExp> = new Map([
  ['script', /[^]*?(?=<\/script)/iy],
  ['style', /[^]*?(?=<\/style)/iy],
]);
const word = /[\p{ID_Start}$_@:][\p{ID_Continue}$\-.:@]*/uy;

/** Parses JSX with the void elements, comments, scripts and styles of HTML, and with the attributes of Astro. */
class AstroParser extends JsxParser {
  /** The name of the current start tag. */
  #name: unknown;

  override jsx_parseOpeningElementAt(start: number, location: unknown): SyntaxNode {
    const outer = this.#name;
    this.#name = this.value;
    try {
      const node = super.jsx_parseOpeningElementAt(start, location);
      return this.#isVoid() ? { ...node, selfClosing: true } : node;
    } finally {
      this.#name = outer;
    }
  }

  #isVoid(): boolean {
    return typeof this.#name === 'string' && voidElements.has(this.#name);
  }

  /** Ends the tag of a void element as if it had a slash. */
  override updateContext(previous: typeof tokTypes.slash): void {
    const isEnd = this.type === jsxTypes.jsxTagEnd && this.#isVoid();
    super.updateContext(isEnd ? tokTypes.slash : previous);
  }

  /** Skips comments and raw contents, and reads text nodes that contain any character. */
  override jsx_readToken(): void {
    this.start = this.#skip(rawContents.get(this.#name) ?? comments);
    if (this.#skip(text) > this.start) this.finishToken(jsxTypes.jsxText, '');
    else super.jsx_readToken();
  }

  override readToken(code: number): void {
    if (this.curContext() === jsxContexts.tc_oTag && /[@:]/.test(String.fromCharCode(code))) this.jsx_readWord();
    else super.readToken(code);
  }

  override jsx_readWord(): void {
    const start = this.pos;
    this.finishToken(jsxTypes.jsxName, this.input.slice(start, this.#skip(word)));
  }

  #skip(pattern: RegExp): number {
    pattern.lastIndex = this.pos;
    if (pattern.test(this.input)) this.pos = pattern.lastIndex;
    return this.pos;
  }

  /** Also reads `{name}`, which is short for `name={name}`. */
  override jsx_parseAttribute(): SyntaxNode {
    if (this.type !== tokTypes.braceL) return super.jsx_parseAttribute();
    const node = this.startNode();
    this.next();
    this.eat(tokTypes.ellipsis);
    node['argument'] = this.parseMaybeAssign();
    this.expect(tokTypes.braceR);
    return this.finishNode(node, 'JSXSpreadAttribute');
  }

  override jsx_parseAttributeValue(): SyntaxNode {
    return this.type === tokTypes.backQuote ? this.parseTemplate() : super.jsx_parseAttributeValue();
  }
}

const [open, close] = ['<>', '</>'];

/** Masks an Astro component: a module between two fences, then markup. The markup is parsed as a JSX fragment. */
export function maskAstro(source: string): MaskedText {
  const fence = /^\uFEFF?\s*---[^]*?\n---[ \t]*(?:\r?\n|$)/.exec(source);
  const start = fence?.[0].length ?? 0;
  const code = open + source.slice(start) + close;
  const masker = new JsxMasker(code);
  masker.read(parseModule(AstroParser, code, open.length - start));
  return masker.finish(source, open.length - start);
}
