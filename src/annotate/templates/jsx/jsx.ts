import { mask, MaskBuilder, type MaskedText } from '../masked-text.js';
import type { JsxAttribute, JsxOptions, JsxReceiver, JsxTag } from './jsx-receiver.js';
import { JsxScanner, voidElements } from './jsx-scanner.js';

/** A part of the masked text. */
interface Piece {
  readonly start: number;
  readonly text: string;
}

const nested = 'The form is in an attribute of another element. Add toolname and tooldescription to it by hand.';

/** Shows the HTML elements and texts of JSX, and masks everything else. */
export class JsxMasker implements JsxReceiver {
  readonly #source: string;
  readonly #pieces: Piece[] = [];
  readonly #repeated: number[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  mark = (): number => this.#pieces.length;

  reset = (mark: number): void => {
    this.#pieces.length = mark;
  };

  onText = (start: number, end: number): void => {
    this.#pieces.push({ start, text: this.#source.slice(start, end).replaceAll('>', ' ') });
  };

  onEndTag = ({ name, start, end }: { readonly name: string; readonly start: number; readonly end: number }): void => {
    if (isHtmlName(name)) this.#pieces.push({ start, text: this.#source.slice(start, end) });
  };

  readonly #hiddenForms: number[] = [];

  onStartTag = (tag: JsxTag): void => {
    if (!isHtmlName(tag.name)) return;
    // An element in the value of an attribute would be in the middle of the tag.
    const inner = this.#pieces.findLastIndex(({ start }) => start < tag.start) + 1;
    const hidden = this.#pieces.splice(inner);
    this.#hiddenForms.push(...hidden.filter(({ text }) => /^<form\b/.test(text)).map(({ start }) => start));
    const text = this.#tagText(tag);
    if (text === undefined) return;
    if (tag.isRepeated) this.#repeated.push(tag.start);
    this.#pieces.push({ start: tag.start, text });
  };

  /** Undefined if HTML has no such tag. */
  #tagText(tag: JsxTag): string | undefined {
    const { name, start, nameEnd, end, isSelfClosing } = tag;
    const isVoid = voidElements.has(name);
    if (isSelfClosing && !isVoid && name !== 'textarea' && name !== 'select') return undefined;
    const shownName = isSelfClosing && !isVoid ? 'input' : name;
    let text = `<${shownName.padEnd(nameEnd - start - 1)}`;
    for (const attribute of tag.attributes)
      text = text.padEnd(attribute.start - start) + attributeText(this.#source, attribute);
    return text.padEnd(end - start - (isSelfClosing ? 2 : 1)) + (isSelfClosing ? '/>' : '>');
  }

  finish(): MaskedText {
    const builder = new MaskBuilder(this.#source);
    let end = 0;
    for (const { start, text } of this.#pieces) {
      hideRange(builder, end, start);
      builder.replace(start, text);
      end = start + text.length;
    }
    hideRange(builder, end, this.#source.length);
    for (const start of this.#repeated) builder.addRepeated(start);
    for (const start of this.#hiddenForms) builder.addCodeForm(start, nested);
    return builder.finish();
  }
}

function hideRange(builder: MaskBuilder, start: number, end: number): void {
  if (end > start) builder.hide(start, end);
}

const isHtmlName = (name: string): boolean => /^[a-z][a-z\d]*$/.test(name);

const renamed: Readonly<Record<string, string>> = { htmlFor: 'for', defaultValue: 'value' };

/** Has the length of the attribute. */
function attributeText(source: string, { name, start, nameEnd, end, value }: JsxAttribute): string {
  const shown = (renamed[name] ?? name).padEnd(nameEnd - start);
  if (value === 'none') return shown;
  const code = source.slice(nameEnd, end);
  if (value === 'string') return shown + code;
  const literal = /^(\s*=\s*)\{(\s*(?:"[^"\\\n]*"|'[^'\\\n]*')\s*)\}$/.exec(code);
  if (literal) return `${shown}${literal[1]} ${literal[2]} `;
  const hidden = mask.repeat(code.length - 2);
  return name === '' ? `${hidden}${mask} ` : `${shown}=${hidden} `;
}

/** @throws {TemplateError} if the code is not understood */
export function maskJsx(source: string, options: JsxOptions): MaskedText {
  const masker = new JsxMasker(source);
  new JsxScanner(source, masker, options).scanModule();
  return masker.finish();
}

/** Masks an Astro component: a module between two fences, then markup with expressions. */
export function maskAstro(source: string): MaskedText {
  const fence = /^\uFEFF?\s*---[^]*?\n---[ \t]*(?:\r?\n|$)/.exec(source);
  const masker = new JsxMasker(source);
  new JsxScanner(source, masker, { isTypeScript: true, isHtml: true }).scanMarkup(fence?.[0].length ?? 0);
  return masker.finish();
}
