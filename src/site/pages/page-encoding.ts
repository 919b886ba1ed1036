import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { getBOMEncoding } from '@exodus/bytes/encoding.js';
import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
import { utf16fromString } from '@exodus/bytes/utf16.js';
import { maxPageBytes } from '../limits.js';
import { UsageError } from '../usage-error.js';
import { decodePage, type DecodedPage } from './charset.js';
import { readBytes } from './read-text.js';
import type { PageContent } from './undecoded-page.js';

/** The reason why the bytes of a page are not text. */
export const encodingProblem = (bytes: Uint8Array, { encoding }: DecodedPage): string | undefined =>
  encoding.startsWith('utf-16') || isUtf8(bytes) || !bytes.includes(0)
    ? undefined
    : 'The page has null characters, as in UTF-16 without a byte order mark. Save it as UTF-8.';

/** The warnings about a page that browsers may show with wrong characters. */
export function encodingWarnings(content: PageContent, file: string): readonly string[] {
  if (typeof content === 'string') return [];
  const page = decodePage(content);
  const warning = encodingProblem(content, page) === undefined ? warningOf(page, isUtf8(content)) : undefined;
  return warning === undefined ? [] : [`${file} ${warning}`];
}

function warningOf({ text, encoding, declared }: DecodedPage, isUtf8: boolean): string | undefined {
  if (declared === undefined && encoding !== 'utf-8')
    return `is not valid UTF-8 and declares no encoding. It was read as ${encoding}, the default of browsers. Declare its encoding in a <meta charset>.`;
  if (declared !== undefined && declared !== encoding)
    return `is UTF-8, but declares the encoding ${declared}. Browsers read it as ${declared}, unless the Content-Type of the server declares UTF-8. Declare <meta charset="utf-8">.`;
  return !isUtf8 && text.includes('\uFFFD')
    ? `has bytes that are invalid in its encoding, ${encoding}. They were replaced by U+FFFD. Correct the characters, or the encoding that it declares.`
    : undefined;
}

/** Decodes a page. `where` is its name for error messages. */
export function decodePageText(bytes: Uint8Array, where: string): string {
  const page = decodePage(bytes);
  const problem = encodingProblem(bytes, page);
  if (problem !== undefined) throw new UsageError(`Cannot read ${where}: ${problem}`);
  return page.text;
}

/** Reads a page from a stream, such as standard input. */
export const readPageStream = async (stream: AsyncIterable<Uint8Array>, file: string): Promise<string> =>
  decodePageText(await readBytes(stream, file, maxPageBytes), file);

export const readPageFile = (path: string, file: string): Promise<string> =>
  readPageStream(createReadStream(path), file);

/**
 * Changes the text of a page in its encoding. The byte order mark stays.
 *
 * @returns undefined if the encoding cannot represent the result, or if encoding the text again would change other bytes
 */
export function changePage(bytes: Uint8Array, change: (text: string) => string): Uint8Array | undefined {
  const { text, encoding } = decodePage(bytes);
  const mark = getBOMEncoding(bytes) === null ? '' : '\uFEFF';
  const changed = change(text);
  try {
    const encode = encoderOf(encoding);
    const result = encode(mark + changed);
    return Buffer.compare(encode(mark + text), bytes) === 0 && decodePage(result).text === changed ? result : undefined;
  } catch {
    return undefined; // a character that the encoding does not have
  }
}

const multibyte: readonly string[] = ['gbk', 'gb18030', 'big5', 'euc-jp', 'iso-2022-jp', 'shift_jis', 'euc-kr'];

function encoderOf(encoding: string): (text: string) => Uint8Array {
  if (encoding === 'utf-8') return (text) => Buffer.from(text);
  if (encoding === 'utf-16le') return (text) => utf16fromString(text, 'uint8-le');
  if (encoding === 'utf-16be') return (text) => utf16fromString(text, 'uint8-be');
  return multibyte.includes(encoding) ? createMultibyteEncoder(encoding) : createSinglebyteEncoder(encoding);
}
