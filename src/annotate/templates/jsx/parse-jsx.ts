import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser, type Node, type Options, type TokenType } from 'acorn';
import { TemplateError } from '../masked-text.js';

/** A node of the syntax tree, whose other properties depend on its type. */
export interface SyntaxNode extends Node {
  readonly [property: string]: unknown;
}

export const options: Options = {
  ecmaVersion: 'latest',
  sourceType: 'module',
  locations: true,
  allowReturnOutsideFunction: true,
};

/** Members of acorn and its plugin that their types do not declare. */
declare class PluginParser extends Parser {
  static readonly acornTypeScript: {
    readonly tokTypes: Readonly<Record<'jsxName' | 'jsxText' | 'jsxTagEnd', TokenType>>;
    readonly tokContexts: Readonly<Record<'tc_oTag', unknown>>;
  };
  readonly type: TokenType;
  readonly value: unknown;
  start: number;
  pos: number;
  reportReservedArrowTypeParam(): void;
  curContext(): unknown;
  updateContext(previous: TokenType): void;
  readToken(code: number): void;
  finishToken(type: TokenType, value: string): void;
  startNode(): Record<string, unknown>;
  finishNode(node: object, type: string): SyntaxNode;
  next(): void;
  eat(type: TokenType): boolean;
  expect(type: TokenType): void;
  raise(at: number, message: string): never;
  parseMaybeAssign(...options: readonly unknown[]): SyntaxNode;
  parseTemplate(): SyntaxNode;
  jsx_readToken(): void;
  jsx_readWord(): void;
  jsx_parseAttribute(): SyntaxNode;
  jsx_parseAttributeValue(): SyntaxNode;
  jsx_parseElementAt(start: number, location: unknown): SyntaxNode;
  jsx_parseOpeningElementAt(start: number, location: unknown): SyntaxNode;
}

/** The maximum depth. V8 ends the process if it compiles a regular expression when the stack is almost full. */
const maxDepth = 300;

/** Parses JavaScript and TypeScript with JSX. */
export class JsxParser extends (Parser.extend(tsPlugin({ jsx: true })) as unknown as typeof PluginParser) {
  /** Accepts `<T extends object>() => {}` in TSX, as TypeScript does. The plugin would require a comma. */
  override reportReservedArrowTypeParam(): void {}

  #depth = 0;

  override parseMaybeAssign(...options: readonly unknown[]): SyntaxNode {
    return this.#nest(() => super.parseMaybeAssign(...options));
  }

  override jsx_parseElementAt(start: number, location: unknown): SyntaxNode {
    return this.#nest(() => super.jsx_parseElementAt(start, location));
  }

  #nest(parse: () => SyntaxNode): SyntaxNode {
    if (this.#depth >= maxDepth) this.raise(this.start, `it is nested more than ${maxDepth} deep`);
    this.#depth++;
    try {
      return parse();
    } finally {
      this.#depth--;
    }
  }
}

/**
 * Parses a module. Offsets are `shift` greater than in the source.
 *
 * @throws {TemplateError} if it is invalid
 */
export const parseModule = (parser: typeof Parser, code: string, shift = 0): SyntaxNode =>
  withTemplateErrors(() => parser.parse(code, options) as Node as SyntaxNode, -shift);

/** Converts the errors of acorn. */
export function withTemplateErrors<Result>(parse: () => Result, offset: number): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { pos } = error as SyntaxError & { readonly pos: number };
    const message = error.message
      .replace(/ \(\d+:\d+\)$/, '')
      .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
    throw new TemplateError(message.replace(/\.$/, ''), Math.max(0, pos + offset));
  }
}

/** Whether the value of a property is a node. */
const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export const childrenOf = (node: SyntaxNode): readonly SyntaxNode[] => Object.values(node).flat().filter(isNode);

/** The value of a property that is a node, or undefined. */
export const nodeOf = (value: unknown): SyntaxNode | undefined => (isNode(value) ? value : undefined);

/** The nodes in the value of a property. */
export const nodesOf = (value: unknown): readonly SyntaxNode[] => (Array.isArray(value) ? value.filter(isNode) : []);

export const isString = (node: SyntaxNode): node is SyntaxNode & { readonly value: string } =>
  node.type === 'Literal' && typeof node.value === 'string';
