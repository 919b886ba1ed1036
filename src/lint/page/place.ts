import type { Parse5Element } from '../../parse5/parse5-tree.js';
import type { Place } from '../finding.js';

interface SourceRange {
  readonly startLine: number;
  readonly startCol: number;
  readonly startOffset: number;
  readonly endLine: number;
  readonly endCol: number;
  readonly endOffset: number;
}

/** Where an attribute stands, from its name to behind its value. */
export const attributeRange = (element: Parse5Element, name: string): SourceRange | undefined =>
  element.sourceCodeLocation?.attrs?.[name];

/**
 * Whether a start tag has an attribute's name once: of several attributes of one name the first counts, and the parser's
 * place is of the last. A name within a value is taken for another one.
 */
export function isWrittenOnce(html: string, { sourceCodeLocation: at }: Parse5Element, name: string): boolean {
  const { startOffset, endOffset } = at?.startTag ?? at ?? { startOffset: 0, endOffset: 0 };
  const written = new RegExp(`(?<![^\\s/"'])${name}(?=[\\s=/>])`, 'gi');
  return [...html.slice(startOffset, endOffset).matchAll(written)].length === 1;
}

/** The place of the first of some attributes that an element has, or else of its start tag. */
export function placeOf(element: Parse5Element, ...names: readonly string[]): Place | undefined {
  for (const name of names) {
    const range = attributeRange(element, name);
    if (range) return placeOfRange(range);
  }
  const at = element.sourceCodeLocation;
  return at ? placeOfRange(at.startTag ?? at) : undefined;
}

export const placeOfRange = ({ startLine, startCol, endLine, endCol }: SourceRange): Place => ({
  line: startLine,
  column: startCol,
  endLine,
  endColumn: endCol,
});

/** The two spellings of an annotation, in the order in which they count. */
export const spellings = (name: string): readonly [string, string] => [name, `data-${name}`];

/** The place of an annotation in the spelling that counts. */
export const annotationPlace = (element: Parse5Element, name: string): Place | undefined =>
  placeOf(element, ...spellings(name));

/** An attribute's value. */
export function attributeOf(element: Parse5Element, name: string): string | undefined {
  for (const each of element.attrs) if (each.name === name) return each.value;
  return undefined;
}
