import { getBOMEncoding } from '@exodus/bytes/encoding.js';
import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
import { utf16fromString } from '@exodus/bytes/utf16.js';
import { decodePage } from './charset.js';

/**
 * Changes the text of a page in its encoding. The byte order mark stays.
 *
 * @returns undefined if the encoding cannot represent the result, or would change other bytes
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
