import { voidElements } from '../../tags/scan-tags.js';
import { componentReason } from '../form-components.js';
import { mask, MaskBuilder, type MaskedText } from '../masked-text.js';
import { childrenOf, JsxParser, parseModule, type SyntaxNode } from './parse-jsx.js';

/** A part of the masked text. */
interface Piece {
  readonly start: number;
  readonly text: string;
}

interface Attribute extends SyntaxNode {
  /** Missing in a spread. */
  readonly name?: SyntaxNode;
  readonly value?: SyntaxNode | null;
}

interface OpeningElement extends SyntaxNode {
  readonly name: SyntaxNode;
  readonly attributes: readonly Attribute[];
}

interface JsxElement extends SyntaxNode {
  readonly openingElement: OpeningElement;
  readonly closingElement: SyntaxNode | null;
  readonly children: readonly SyntaxNode[];
}

interface Call extends SyntaxNode {
  readonly callee: SyntaxNode;
}

const nested = 'The form is in an attribute of another element. Add toolname and tooldescription to it by hand.';
const loop = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const loopCallee = /(?:\.(?:map|flatMap|forEach)|\bArray\.from)$/;

/** Masks JSX except for its HTML elements and text. */
export class JsxMasker {
  readonly #code: string;
  readonly #pieces: Piece[] = [];
  readonly #repeated: number[] = [];
  readonly #hiddenForms: number[] = [];
  readonly #componentForms: (readonly [start: number, reason: string])[] = [];
  #loops = 0;

  constructor(code: string) {
    this.#code = code;
  }

  read(node: SyntaxNode): void {
    const isLoop = loop.test(node.type) || this.#isLoopCall(node);
    if (isLoop) this.#loops++;
    if (node.type === 'JSXElement') this.#readElement(node as JsxElement);
    else if (node.type === 'JSXText') this.#show(node, this.#textOf(node).replaceAll('>', ' '));
    else for (const child of childrenOf(node)) this.read(child);
    if (isLoop) this.#loops--;
  }

  #textOf({ start, end }: SyntaxNode): string {
    return this.#code.slice(start, end);
  }

  #show({ start }: SyntaxNode, text: string): void {
    this.#pieces.push({ start, text });
  }

  #isLoopCall(node: SyntaxNode): boolean {
    return node.type === 'CallExpression' && loopCallee.test(this.#textOf((node as Call).callee));
  }

  #readElement({ openingElement: tag, closingElement, children }: JsxElement): void {
    const isHtml = /^[a-z][a-z\d]*$/.test(this.#textOf(tag.name));
    if (isHtml) this.#readTag(tag);
    else this.#readComponent(tag);
    for (const child of children) this.read(child);
    if (isHtml && closingElement) this.#show(closingElement, this.#textOf(closingElement));
  }

  #readComponent(tag: OpeningElement): void {
    const reason = componentReason(this.#textOf(tag.name), this.#textOf(tag));
    if (reason !== undefined) this.#componentForms.push([tag.start, reason]);
    for (const attribute of tag.attributes) this.read(attribute);
  }

  #readTag(tag: OpeningElement): void {
    // In HTML, an element in the value of an attribute would be inside the tag.
    for (const attribute of tag.attributes) this.#hideForms(attribute);
    const text = this.#tagText(tag);
    if (text === undefined) return;
    if (this.#loops > 0) this.#repeated.push(tag.start);
    this.#show(tag, text);
  }

  #hideForms(node: SyntaxNode): void {
    if (node.type === 'JSXOpeningElement' && this.#textOf(node['name'] as SyntaxNode) === 'form')
      this.#hiddenForms.push(node.start);
    for (const child of childrenOf(node)) this.#hideForms(child);
  }

  /** The tag in HTML; undefined for an empty element that HTML cannot express. */
  #tagText(tag: OpeningElement): string | undefined {
    const name = this.#textOf(tag.name);
    const close = this.#textOf(tag).endsWith('/>') ? '/>' : '>';
    const isEmpty = close === '/>' && !voidElements.has(name);
    if (isEmpty && name !== 'textarea' && name !== 'select') return undefined;
    let text = `<${isEmpty ? 'input'.padEnd(name.length) : name}`;
    for (const attribute of tag.attributes)
      text = text.padEnd(attribute.start - tag.start) + this.#attributeText(attribute);
    return text.padEnd(tag.end - tag.start - close.length) + close;
  }

  /** The attribute in HTML, with the same length. */
  #attributeText(attribute: Attribute): string {
    const { name, value, start, end } = attribute;
    if (!name) return `${mask.repeat(end - start - 1)} `;
    const written = this.#textOf(name);
    const shown = (renamed[written] ?? written).padEnd(written.length);
    if (!value) return shown;
    const code = this.#code.slice(name.end, end);
    if (value.type === 'Literal') return shown + code;
    const literal = /^(\s*=\s*)\{(\s*(?:"[^"\\\n]*"|'[^'\\\n]*')\s*)\}$/.exec(code);
    return literal ? `${shown}${literal[1]} ${literal[2]} ` : `${shown}=${mask.repeat(code.length - 2)} `;
  }

  /** @param shift - the difference between the offsets of the code and of the source */
  finish(source: string, shift = 0): MaskedText {
    const builder = new MaskBuilder(source);
    let end = 0;
    for (const { start, text } of this.#pieces.sort((one, other) => one.start - other.start)) {
      hideRange(builder, end, start - shift);
      builder.replace(start - shift, text);
      end = start - shift + text.length;
    }
    hideRange(builder, end, source.length);
    for (const start of this.#repeated) builder.addRepeated(start - shift);
    for (const start of this.#hiddenForms) builder.addCodeForm(start - shift, nested);
    for (const [start, reason] of this.#componentForms) builder.addCodeForm(start - shift, reason);
    return builder.finish();
  }
}

function hideRange(builder: MaskBuilder, start: number, end: number): void {
  if (end > start) builder.hide(start, end);
}

const renamed: Readonly<Record<string, string>> = { htmlFor: 'for', defaultValue: 'value' };

/** @throws {TemplateError} if the code cannot be parsed */
export function maskJsx(source: string): MaskedText {
  const masker = new JsxMasker(source);
  masker.read(parseModule(JsxParser, source));
  return masker.finish(source);
}
