import type { FileKind } from '../templates/file-kinds.js';

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

/** The source text of attributes, each with its separator before it. */
export const attributesText = (attributes: readonly Attribute[], style: TagStyle): string =>
  attributes.map((attribute) => style.separator + attributeText(attribute, style)).join('');

function attributeText({ name, value }: Attribute, style: TagStyle): string {
  if (value === null) return style.kind.needsValue ? `${name}=${style.quote}${style.quote}` : name;
  return `${name}=${style.quote}${escapeValue(value, style)}${style.quote}`;
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Braces would begin a construct of most templates. */
function escapeValue(value: string, { quote, isAscii, kind: { special } }: TagStyle): string {
  let text = value.replace(/[&<>]/g, (character) => named[character] ?? character).replace(/[{}]/g, reference);
  text = quote === '"' ? text.replaceAll('"', '&quot;') : text.replaceAll("'", '&#39;');
  if (special) text = text.replace(special, reference);
  return nonAscii.test(text) && isAscii() ? text.replace(nonAsciiCharacters, reference) : text;
}

const nonAscii = /[^\0-\x7f]/;
const nonAsciiCharacters = /[^\0-\x7f]/gu;

const reference = (character: string): string => `&#${character.codePointAt(0)};`;
