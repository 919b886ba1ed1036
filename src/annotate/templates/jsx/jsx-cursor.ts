import { endOfString } from '../code-blocks.js';
import { TemplateError } from '../template-error.js';

/** A position in JavaScript or TypeScript, and the tokens that contain no code or markup. */
export class JsxCursor {
  readonly source: string;
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  fail(message: string, at = this.at): never {
    throw new TemplateError(message, at);
  }

  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [text = ''] = pattern.exec(this.source) ?? [];
    this.at += text.length;
    return text;
  }

  peek(): string {
    return this.source.charAt(this.at);
  }

  passString(start: number): true {
    const quote = this.source.charAt(start);
    this.at = endOfString(this.source, quote, start);
    const text = this.source.slice(start, this.at);
    if (/(?<!\\)[\r\n]/.test(text.replace(/\\\r\n/g, '')) || text.length < 2 || !text.endsWith(quote))
      this.fail('a string is not closed', start);
    return true;
  }

  /** Passes a regular expression, whose first slash has been taken. */
  passRegularExpression(start: number): void {
    for (let isClass = false; ; this.at++) {
      const character = this.peek();
      if (character === '' || character === '\n') this.fail('a regular expression is not closed', start);
      if (character === '\\') this.at++;
      else if (character === '[') isClass = true;
      else if (character === ']') isClass = false;
      else if (character === '/' && !isClass) break;
    }
    this.at++;
  }

  passComment(start: number): void {
    const end = this.source.indexOf('*/', start + 2);
    if (end < 0) this.fail('a comment is not closed', start);
    this.at = end + 2;
  }

  passSpace(): void {
    for (;;) {
      this.take(/\s*/y);
      if (this.source.startsWith('/*', this.at)) this.passComment(this.at);
      else if (this.source.startsWith('//', this.at)) this.take(/[^\n]*/y);
      else return;
    }
  }

  passTypeArguments(): void {
    const start = this.at;
    for (let depth = 0; this.at < this.source.length; this.at++) {
      if (this.peek() === '<') depth++;
      else if (this.peek() === '>' && this.source.charAt(this.at - 1) !== '=' && --depth === 0) {
        this.at++;
        return;
      }
    }
    this.fail('a list of type arguments is not closed', start);
  }
}
