import type { Token } from 'parse5';
import { parsePage, type Parse5Element } from '../../parse5/parse5-tree.js';
import type { FileKind } from '../templates/file-kinds.js';
import type { MaskedText } from '../templates/masked-text.js';
import { scanTag, type Tag } from './scan-tags.js';

/** Text that is added to a file. */
export interface Insertion {
  /** An offset in UTF-16 code units. */
  readonly at: number;
  readonly text: string;
}

/**
 * Places attributes after the name of the start tag of an element, in the style of the tag.
 *
 * @returns undefined if an HTML parser would not read the same tag with these attributes
 */
export function insertAttributes(
  masked: MaskedText,
  element: Parse5Element,
  attributes: readonly Attribute[],
  kind: FileKind,
): Insertion | undefined {
  const start = element.sourceCodeLocation?.startOffset ?? -1;
  const tag = start < 0 ? null : scanTag(masked.text, start);
  if (tag === null || attributes.length === 0) return undefined;
  const at = start + 1 + (/^[a-zA-Z][\w-]*/.exec(masked.source.slice(start + 1, start + 100))?.[0].length ?? 0);
  const isAscii = (): boolean => !/[^\0-\x7f]/.test(masked.source);
  const style = { kind, isAscii, quote: quoteOf(tag), separator: separatorOf(masked, tag, at) } as const;
  const insertion = { at, text: attributesText(attributes, style) };
  const expected = [...attributes.map(({ name, value }) => ({ name, value: value ?? '' })), ...element.attrs];
  return isVerified(masked, tag, insertion, expected) ? insertion : undefined;
}

const quoteOf = ({ attributes }: Tag): '"' | "'" =>
  attributes.find(({ quote }) => quote !== '')?.quote === "'" ? "'" : '"';

/** The white space before each added attribute: a line break if the first attribute is on a new line. */
function separatorOf({ source }: MaskedText, { attributes }: Tag, at: number): string {
  const between = source.slice(at, attributes[0]?.start ?? at);
  return /^[ \t]*(\r?\n[ \t]*)$/.exec(between)?.[1] ?? ' ';
}

/** Whether parse5 reads the tag as one start tag with the original and the added attributes. */
function isVerified(
  { text, source }: MaskedText,
  { start, end }: Tag,
  { at, text: inserted }: Insertion,
  expected: readonly Token.Attribute[],
): boolean {
  if (source.charAt(start) !== '<' || at <= start + 1) return false;
  const found = attributesOf(text.slice(start, at) + inserted + text.slice(at, end));
  return found !== undefined && JSON.stringify(found) === JSON.stringify(expected);
}

/** The attributes of the only element of a source. Uses the page parser, because a second parser would slow it down. */
function attributesOf(source: string): readonly Token.Attribute[] | undefined {
  const [html, ...others] = parsePage(source, { locations: 'elements' }).document.childNodes;
  const [head, body] = html && 'childNodes' in html ? html.childNodes : [];
  if (others.length > 0 || !head || !body || !('childNodes' in head) || !('childNodes' in body)) return undefined;
  const [element, ...more] = body.childNodes;
  const isOne = element && 'attrs' in element && head.childNodes.length + more.length + element.childNodes.length === 0;
  return isOne ? element.attrs : undefined;
}

/** Inserts strings into a source. The offsets refer to the original source. */
export function applyInsertions(source: string, insertions: readonly Insertion[]): string {
  let result = '';
  let end = 0;
  for (const { at, text } of [...insertions].sort((one, other) => one.at - other.at)) {
    result += source.slice(end, at) + text;
    end = at;
  }
  return result + source.slice(end);
}

export interface Attribute {
  readonly name: string;
  /** Null for an attribute without a value. */
  readonly value: string | null;
}

interface TagStyle {
  readonly quote: '"' | "'";
  /** The white space before an attribute. */
  readonly separator: string;
  /** Whether the file has only ASCII characters, so that its encoding is unknown. */
  readonly isAscii: () => boolean;
  readonly kind: FileKind;
}

/** The source text of attributes, each after a separator. */
const attributesText = (attributes: readonly Attribute[], style: TagStyle): string =>
  attributes.map((attribute) => style.separator + attributeText(attribute, style)).join('');

function attributeText({ name, value }: Attribute, style: TagStyle): string {
  if (value === null) return style.kind.needsValue ? `${name}=${style.quote}${style.quote}` : name;
  return `${name}=${style.quote}${escapeValue(value, style)}${style.quote}`;
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a value, including braces, which would begin a construct of most templates. */
function escapeValue(value: string, { quote, isAscii, kind: { special } }: TagStyle): string {
  let text = value.replace(/[&<>]/g, (character) => named[character] ?? character).replace(/[{}]/g, reference);
  text = quote === '"' ? text.replaceAll('"', '&quot;') : text.replaceAll("'", '&#39;');
  if (special) text = text.replace(special, reference);
  return nonAscii.test(text) && isAscii() ? text.replace(nonAsciiCharacters, reference) : text;
}

const nonAscii = /[^\0-\x7f]/;
const nonAsciiCharacters = /[^\0-\x7f]/gu;

const reference = (character: string): string => `&#${character.codePointAt(0)};`;
