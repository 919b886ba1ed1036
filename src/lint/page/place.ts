import type { Parse5Element } from '../../parse5/parse5-tree.js';

/** A range of a page's text: 1-based lines and columns in UTF-16 code units, with an exclusive end. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

interface SourceRange {
  readonly startLine: number;
  readonly startCol: number;
  readonly startOffset: number;
  readonly endLine: number;
  readonly endCol: number;
  readonly endOffset: number;
}

export const attributeRange = (element: Parse5Element, name: string): SourceRange | undefined =>
  element.sourceCodeLocation?.attrs?.[name];

/**
 * Whether an attribute occurs once in a start tag. The parser uses the value of the first duplicate, and the location
 * of the last. Occurrences within values are counted as well.
 */
export function isUnique(html: string, { sourceCodeLocation: range }: Parse5Element, name: string): boolean {
  const { startOffset, endOffset } = range?.startTag ?? range ?? { startOffset: 0, endOffset: 0 };
  const occurrences = new RegExp(`(?<![^\\s/"'])${name}(?=[\\s=/>])`, 'gi');
  return [...html.slice(startOffset, endOffset).matchAll(occurrences)].length === 1;
}

/** The place of the first named attribute that the element has, or else of its start tag. */
export function placeOf(element: Parse5Element, names: readonly string[] = []): Place | undefined {
  const location = element.sourceCodeLocation;
  const attribute = names.map((name) => attributeRange(element, name)).find((range) => range !== undefined);
  const range = attribute ?? location?.startTag ?? location;
  return range ? placeOfRange(range) : undefined;
}

export const placeOfRange = ({ startLine, startCol, endLine, endCol }: SourceRange): Place => ({
  line: startLine,
  column: startCol,
  endLine,
  endColumn: endCol,
});

/** The two spellings of an annotation, in the order of precedence. */
export const spellings = (name: string): readonly [string, string] => [name, `data-${name}`];

export const attributeOf = (element: Parse5Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value;
