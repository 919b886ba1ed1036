import { findJsonError } from '../../../src/compiler/json-error.js';

/** Numbers are handled as text, so that formatting does not change them. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** Indents JSON text; undefined if it is invalid. */
export function formatJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const pieces: string[] = [];
  let depth = 0;
  let isEmpty = false;
  const newLine = (): string => `\n${'  '.repeat(Math.min(depth, 50))}`;
  for (const [token] of text.matchAll(tokens)) {
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth--;
    if (isEnd ? !isEmpty : isEmpty) pieces.push(newLine());
    pieces.push(token === ':' ? ': ' : token);
    isEmpty = token === '{' || token === '[';
    if (isEmpty) depth++;
    if (token === ',') pieces.push(newLine());
  }
  return pieces.join('');
}

/** The 1-based position of a syntax error. */
interface SyntaxFault {
  readonly line: number;
  readonly column: number;
}

/** A number that JavaScript cannot represent. It would become `other`. */
interface InexactNumber {
  readonly line: number;
  readonly number: string;
  readonly other: string;
}

export type ParseResult =
  | { readonly value: unknown }
  | { readonly fault: SyntaxFault }
  | { readonly inexact: InexactNumber };

/** Parses JSON text. Numbers that lose precision are errors. */
export function parseJson(text: string): ParseResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: positionIn(text, findJsonError(text)) };
  }
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (/^[-\d]/.test(token) && !isExact(token))
      return { inexact: { line: positionIn(text, index).line, number: token, other: String(Number(token)) } };
  }
  return { value };
}

function positionIn(text: string, index: number): SyntaxFault {
  const lines = text.slice(0, index).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Normalizes the digits and the exponent of a decimal number, for comparison. */
function normalized(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  return `${sign}${short}e${String(Number(exponent) - fraction.length + digits.length - short.length)}`;
}

/** Whether JavaScript can represent a number exactly. */
export const isExact = (text: string): boolean =>
  Number.isFinite(Number(text)) && normalized(text) === normalized(String(Number(text)));
