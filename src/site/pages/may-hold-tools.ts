import { isUtf8 } from 'node:buffer';

/** A page as text, or as the bytes of a file that may be UTF-8. */
export type PageContent = string | Uint8Array;

/**
 * Whether a page has an annotation's name in it, or a `<webmcp-tool>`. The names of attributes and elements cannot be
 * written with character references, so a page without one has no tool and need not be parsed, and if it is UTF-8 it need
 * not even be decoded.
 */
export const mayHoldTools = (content: PageContent): boolean =>
  typeof content === 'string' ? /tool(?:name|description)|<webmcp-tool/i.test(content) : bytesMayHoldTools(content);

/** Other encodings write these names as UTF-8 does, but for UTF-16 and UTF-32, which put zeros between the letters. */
const bytesMayHoldTools = (bytes: Uint8Array): boolean =>
  holdsAny(bytes) || (!isUtf8(bytes) && holdsAny(withoutZeros(bytes)));

const withoutZeros = (bytes: Uint8Array): Uint8Array => bytes.filter((byte) => byte !== 0);

/** What to tell of a page that cannot be read, which is no matter where it has no annotation. */
export const unreadableWarnings = (content: PageContent, file: string): readonly string[] =>
  typeof content === 'string' || isUtf8(content)
    ? []
    : [`left out ${file}: it is not valid UTF-8, and no annotation is in it`];

/** The first letters of what is looked for, as long as the shortest; the last ends with what is rare in pages. */
const beginnings = ['toolname', 'tooldesc', '<webmcp-'];
const length = 8;

/**
 * How far the next beginning ends at least, by the byte at a place; 0 where one may end here.
 *
 * https://en.wikipedia.org/wiki/Boyer%E2%80%93Moore%E2%80%93Horspool_algorithm
 */
const shifts = shiftsOver(length);
/** The same where none ends. */
const shiftsOn = shiftsOver(length - 1);

function shiftsOver(letters: number): Uint8Array {
  const shifts = new Uint8Array(256).fill(length);
  for (const name of beginnings.flatMap((each) => [each, each.toUpperCase()])) {
    for (let at = 0; at < letters; at++) {
      const code = name.charCodeAt(at);
      shifts[code] = Math.min(shifts[code] as number, length - 1 - at);
    }
  }
  return shifts;
}

function holdsAny(bytes: Uint8Array): boolean {
  for (let end = length - 1; end < bytes.length;) {
    const byte = bytes[end] as number;
    const shift = shifts[byte] as number;
    if (shift === 0 && beginsAlike(bytes, end - length + 1) && mayHoldTools(textAround(bytes, end))) return true;
    end += shift || (shiftsOn[byte] as number);
  }
  return false;
}

/** Whether `to` or `<w` stands there, in any case: a cheap question, asked often. */
function beginsAlike(bytes: Uint8Array, at: number): boolean {
  const letter = bytes[at] as number;
  const next = (bytes[at + 1] as number) | 0x20;
  return (letter | 0x20) === 0x74 ? next === 0x6f : letter === 0x3c && next === 0x77;
}

/** As many bytes around the place as the longest name has. */
const textAround = (bytes: Uint8Array, end: number): string =>
  String.fromCharCode(...bytes.subarray(end - length + 1, end + length));
