import { isUtf8 } from 'node:buffer';

/** The text of a page, or the bytes of its file. */
export type PageContent = string | Uint8Array;

/** The source of annotations. Names of attributes and elements cannot contain character references. */
const annotation = /tool(?:name|description)|<webmcp-tool/i;

/** Whether a page may contain annotations. Other pages need not be parsed or decoded. */
export function mayContainTools(content: PageContent): boolean {
  if (typeof content === 'string') return annotation.test(content);
  if (annotation.test(asciiText(content))) return true;
  // UTF-16 and UTF-32 have zeros between the letters.
  return !isUtf8(content) && annotation.test(asciiText(content.filter((byte) => byte !== 0)));
}

/** Decodes as Latin-1, which is fast and preserves the ASCII characters of all common encodings. */
export const asciiText = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1');
