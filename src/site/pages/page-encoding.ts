import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { maxPageBytes } from '../limits.js';
import { UsageError } from '../usage-error.js';
import { decodePage, type DecodedPage } from './charset.js';
import type { PageContent } from './undecoded-page.js';
import { readBytes } from './read-text.js';

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

/** @param file - its name for error messages */
export const readPageFile = (path: string, file: string): Promise<string> =>
  readPageStream(createReadStream(path), file);
