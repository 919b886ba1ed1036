import { TemplateError } from '../template-error.js';
import { JsxCursor } from './jsx-cursor.js';
import type { JsxAttribute, JsxOptions, JsxReceiver } from './jsx-receiver.js';

const maxDepth = 300;
const maxAttempts = 100;

export const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
const rawElements = new Set(['script', 'style']);

const beforeExpression = new Set(
  'return typeof case default do else in of instanceof new void delete throw yield await extends'.split(' '),
);
const loopCallee = /(?:\.(?:map|flatMap|forEach)|\bArray\.from|\bChildren\.map)\s*(?:<[^<>()]*>)?$/;

const token = /\s+|\/\/[^\n]*|[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*|\d[\w.]*|\+\+|--|=>|[^]/uy;
const elementName = /[\p{ID_Start}$_][\p{ID_Continue}$\-.:]*/uy;
const attributeName = /[\p{ID_Start}$_@:][\p{ID_Continue}$\-.:@]*/uy;

/**
 * Finds the elements in JavaScript or TypeScript. It is strict: unbalanced brackets or tags are an error, so that what it
 * misunderstands is not changed.
 */
export class JsxScanner {
  readonly #cursor: JsxCursor;
  readonly #receiver: JsxReceiver;
  readonly #options: JsxOptions;
  #depth = 0;
  #loops = 0;
  #attempts = 0;

  constructor(source: string, receiver: JsxReceiver, options: JsxOptions = {}) {
    this.#cursor = new JsxCursor(source);
    this.#receiver = receiver;
    this.#options = options;
  }

  /** @throws {TemplateError} if the code is not understood */
  scanModule(): void {
    this.#code('');
  }

  /** Scans markup at the top level, as in Astro and Svelte. */
  scanMarkup(from: number): void {
    this.#cursor.at = from;
    this.#children(undefined);
  }

  /** Returns the offset after the bracket that closes the one at `start`. */
  scanBraces(start: number): number {
    this.#cursor.at = start + 1;
    this.#code('}');
    return this.#cursor.at;
  }

  #enter(): void {
    if (++this.#depth > maxDepth) this.#cursor.fail(`it is nested more than ${maxDepth} deep`);
  }

  /** Scans code up to and including the closing bracket, or to the end of the file. */
  #code(closing: '' | '}'): void {
    this.#enter();
    const brackets: { readonly close: string; readonly isLoop: boolean }[] = [];
    let isOperand = false;
    while (this.#cursor.at < this.#cursor.source.length) {
      const start = this.#cursor.at;
      const text = this.#cursor.take(token);
      const first = text.charAt(0);
      if (/\s/.test(first) || text.startsWith('//')) continue;
      if (/[\p{ID_Start}$_#@]/u.test(first))
        isOperand = !beforeExpression.has(text) || this.#cursor.source.charAt(start - 1) === '.';
      else if (/\d/.test(first)) isOperand = true;
      else if (first === '"' || first === "'") isOperand = this.#cursor.passString(start);
      else if (first === '`') isOperand = this.#template();
      else if (first === '/') isOperand = this.#slash(start, isOperand) ?? isOperand;
      else if (first === '<') isOperand = !isOperand && this.#tryElement(start);
      else if ('([{'.includes(first)) {
        const isLoop = first === '(' && loopCallee.test(this.#cursor.source.slice(Math.max(0, start - 100), start));
        if (isLoop) this.#loops++;
        brackets.push({ close: first === '(' ? ')' : first === '[' ? ']' : '}', isLoop });
        isOperand = false;
      } else if (')]}'.includes(first)) {
        const open = brackets.pop();
        if (open === undefined && closing === first) break;
        if (open?.close !== first) this.#cursor.fail(`the bracket ${first} has no counterpart`, start);
        if (open.isLoop) this.#loops--;
        isOperand = true;
      } else if (text === '++' || text === '--' || (first === '!' && isOperand && this.#cursor.peek() !== '='))
        continue;
      else isOperand = false;
      if (this.#cursor.at >= this.#cursor.source.length && closing !== '')
        this.#cursor.fail('a bracket is not closed', start);
    }
    if (brackets.length > 0 || (closing !== '' && this.#cursor.source.charAt(this.#cursor.at - 1) !== closing))
      this.#cursor.fail('a bracket is not closed');
    this.#depth--;
  }

  #template(): true {
    const start = this.#cursor.at - 1;
    for (; this.#cursor.at < this.#cursor.source.length; this.#cursor.at++) {
      const character = this.#cursor.peek();
      if (character === '\\') this.#cursor.at++;
      else if (character === '`') {
        this.#cursor.at++;
        return true;
      } else if (character === '$' && this.#cursor.source.charAt(this.#cursor.at + 1) === '{') {
        this.#cursor.at += 2;
        this.#code('}');
        this.#cursor.at--;
      }
    }
    return this.#cursor.fail('a template literal is not closed', start);
  }

  /** Scans a comment, a regular expression or an operator. Returns undefined for a comment. */
  #slash(start: number, isOperand: boolean): boolean | undefined {
    if (this.#cursor.peek() === '*') {
      this.#cursor.passComment(start);
      return undefined;
    }
    if (isOperand) return false;
    this.#cursor.passRegularExpression(start);
    return true;
  }

  /** Returns whether an element was scanned. In TypeScript, it may be a list of type parameters. */
  #tryElement(start: number): boolean {
    const { isTypeScript } = this.#options;
    if (!/[\p{ID_Start}$_>]/u.test(this.#cursor.peek())) return false;
    if (isTypeScript && /^<(?:const\s+)?[\w$]+\s*(?:,|=|extends\b)/.test(this.#cursor.source.slice(start, start + 200)))
      return false;
    if (!isTypeScript || !/[A-Z]/.test(this.#cursor.peek())) {
      this.#element(start);
      return true;
    }
    const [depth, loops, mark] = [this.#depth, this.#loops, this.#receiver.mark()];
    try {
      this.#element(start);
      return true;
    } catch (error) {
      if (!(error instanceof TemplateError) || ++this.#attempts > maxAttempts) throw error;
      [this.#cursor.at, this.#depth, this.#loops] = [start + 1, depth, loops];
      this.#receiver.reset(mark);
      return false;
    }
  }

  #element(start: number): void {
    this.#enter();
    this.#cursor.at = start + 1;
    const isRepeated = this.#loops > 0;
    const name = this.#cursor.take(elementName);
    const nameEnd = this.#cursor.at;
    if (this.#cursor.peek() === '<') this.#cursor.passTypeArguments();
    const { attributes, isSelfClosing } = this.#attributes();
    this.#receiver.onStartTag({ name, start, nameEnd, end: this.#cursor.at, isSelfClosing, isRepeated, attributes });
    const isVoid = this.#options.isHtml && voidElements.has(name);
    if (!isSelfClosing && !isVoid) this.#children(name, start);
    this.#depth--;
  }

  #attributes(): { readonly attributes: readonly JsxAttribute[]; readonly isSelfClosing: boolean } {
    const attributes: JsxAttribute[] = [];
    for (;;) {
      this.#cursor.passSpace();
      const start = this.#cursor.at;
      const character = this.#cursor.peek();
      if (character === '>' || (character === '/' && this.#cursor.source.charAt(start + 1) === '>')) {
        this.#cursor.at += character === '>' ? 1 : 2;
        return { attributes, isSelfClosing: character === '/' };
      }
      const name = character === '{' ? '' : this.#cursor.take(attributeName);
      if (name === '' && character !== '{') this.#cursor.fail('an attribute is expected');
      const nameEnd = this.#cursor.at;
      const value = name === '' ? this.#value() : this.#assigned();
      attributes.push({ name, start, nameEnd, end: this.#cursor.at, value });
    }
  }

  #assigned(): JsxAttribute['value'] {
    const end = this.#cursor.at;
    this.#cursor.passSpace();
    if (this.#cursor.peek() !== '=') {
      this.#cursor.at = end;
      return 'none';
    }
    this.#cursor.at++;
    this.#cursor.passSpace();
    return this.#value();
  }

  #value(): 'string' | 'code' {
    const start = this.#cursor.at;
    const character = this.#cursor.peek();
    if (character === '"' || character === "'") {
      const end = this.#cursor.source.indexOf(character, start + 1);
      if (end < 0) this.#cursor.fail('a value is not closed');
      this.#cursor.at = end + 1;
      return 'string';
    }
    if (character === '{') this.scanBraces(start);
    else if (character === '<') this.#element(start);
    else if (character === '`' && this.#options.isHtml) {
      this.#cursor.at++;
      this.#template();
    } else this.#cursor.fail('a value is expected');
    return 'code';
  }

  /** Scans to the end tag of `name`; at the top level, to the end of the file. */
  #children(name: string | undefined, open = 0): void {
    if (name !== undefined && this.#options.isHtml && rawElements.has(name)) return this.#rawContent(name, open);
    for (let start = this.#cursor.at; ; start = this.#cursor.at) {
      const match = /[<{]/g;
      match.lastIndex = start;
      const found = match.exec(this.#cursor.source);
      const end = found?.index ?? this.#cursor.source.length;
      if (end > start) this.#receiver.onText(start, end);
      this.#cursor.at = end;
      if (found === null) {
        if (name === undefined) return;
        this.#cursor.fail(`the element <${name}> is not closed`, open);
      }
      if (found[0] === '{') this.scanBraces(end);
      else if (this.#cursor.source.startsWith('</', end)) {
        if (this.#endTag(name, end)) return;
      } else if (this.#options.isHtml && this.#cursor.source.startsWith('<!', end)) this.#markup(end);
      else if (/[\p{ID_Start}$_>]/u.test(this.#cursor.source.charAt(end + 1))) this.#element(end);
      else if (this.#options.isHtml) this.#cursor.at = end + 1;
      else this.#cursor.fail('a tag is expected');
    }
  }

  /** Returns whether it ends the element. */
  #endTag(name: string | undefined, start: number): boolean {
    this.#cursor.at = start + 2;
    this.#cursor.take(/\s*/y);
    const closed = this.#cursor.take(elementName);
    this.#cursor.take(/\s*/y);
    if (this.#cursor.peek() !== '>' || (name !== undefined && closed !== name))
      this.#cursor.fail(
        name === undefined ? 'an end tag has no start tag' : `the element <${name}> is not closed`,
        start,
      );
    this.#cursor.at++;
    this.#receiver.onEndTag({ name: closed, start, end: this.#cursor.at });
    return name !== undefined;
  }

  #markup(start: number): void {
    const close = this.#cursor.source.startsWith('<!--', start) ? '-->' : '>';
    const end = this.#cursor.source.indexOf(close, start);
    if (end < 0) this.#cursor.fail('a comment is not closed', start);
    this.#cursor.at = end + close.length;
  }

  #rawContent(name: string, open: number): void {
    const end = this.#cursor.source.indexOf(`</${name}`, this.#cursor.at);
    if (end < 0) this.#cursor.fail(`the element <${name}> is not closed`, open);
    this.#endTag(name, end);
  }
}
