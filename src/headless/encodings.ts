import '@exodus/bytes/encoding.js'; // without it, percentEncodeAfterEncoding throws for multi-byte encodings
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js';
import type { FileValue } from '../compiler/input/plan-input.js';
import type { Entry } from '../compiler/input/entry-list.js';
import type { EncodedBody } from '../http/client.js';

const encoder = new TextEncoder();

type TextEncoding = (text: string) => Uint8Array;

const utf8: TextEncoding = (text) => encoder.encode(text);

/**
 * The encoder of a charset. Characters that the charset does not contain become references such as `&#9731;`.
 * https://encoding.spec.whatwg.org/#encode
 */
const textEncoding = (charset: string): TextEncoding =>
  charset === 'UTF-8' ? utf8 : (text) => percentDecoded(percentEncodeAfterEncoding(charset, text, '%'));

/** https://url.spec.whatwg.org/#string-percent-decode */
function percentDecoded(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const isEscape = text[at] === '%';
    bytes[length++] = isEscape ? parseInt(text.slice(at + 1, at + 3), 16) : text.charCodeAt(at);
    if (isEscape) at += 2;
  }
  return bytes.subarray(0, length);
}

const [carriageReturn, lineFeed, space, quotationMark, ampersand, equalsSign] = [0x0d, 0x0a, 0x20, 0x22, 0x26, 0x3d];

/** Collects bytes. Concatenating strings with millions of escapes would take seconds. */
class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;
  readonly #encode: TextEncoding;

  constructor(charset: string) {
    this.#encode = textEncoding(charset);
  }

  /** Reserves space for `count` bytes. The caller writes them at `start`, and then calls `end`. */
  reserve(count: number): { readonly bytes: Uint8Array; readonly start: number } {
    const start = this.#length;
    if (start + count > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, start + count));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
    }
    return { bytes: this.#bytes, start };
  }

  end(position: number): void {
    this.#length = position;
  }

  addBytes(added: Uint8Array): void {
    const { bytes, start } = this.reserve(added.length);
    bytes.set(added, start);
    this.#length += added.length;
  }

  addByte(byte: number): void {
    const { bytes, start } = this.reserve(1);
    bytes[start] = byte;
    this.#length++;
  }

  addText(text: string): void {
    this.addBytes(this.#encode(text));
  }

  addLines(text: string): void {
    this.addBytes(normalizeLines(this.#encode(text)));
  }

  /** Adds the name of a part. Escapes bytes: in ISO-2022-JP, the byte of a quotation mark can belong to another character. */
  addName(text: string): void {
    this.#addEscaped(this.#encode(text), isUnescapedInName);
  }

  /** https://url.spec.whatwg.org/#concept-urlencoded-serializer */
  addUrlencoded(text: string): void {
    if (!isPlain.test(text)) return this.#addEscaped(normalizeLines(this.#encode(text)), isUnescaped, 0x2b);
    const { bytes, start } = this.reserve(text.length);
    for (let index = 0; index < text.length; index++) bytes[start + index] = text.charCodeAt(index);
    this.end(start + text.length);
  }

  #addEscaped(source: Uint8Array, isUnescapedByte: Uint8Array, forSpace = space): void {
    const { bytes, start } = this.reserve(source.length * 3);
    let at = start;
    for (const byte of source) {
      if (byte === space) bytes[at++] = forSpace;
      else if (isUnescapedByte[byte] === 1) bytes[at++] = byte;
      else {
        bytes[at] = 0x25;
        bytes[at + 1] = hexDigits[byte >> 4] as number;
        bytes[at + 2] = hexDigits[byte & 15] as number;
        at += 3;
      }
    }
    this.end(at);
  }

  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }
}

/** Strings without escapes: most names and many values. */
const isPlain = /^[\w*.-]*$/;

const hexDigits = encoder.encode('0123456789ABCDEF');

/** https://url.spec.whatwg.org/#application-x-www-form-urlencoded-percent-encode-set */
const isUnescaped = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9*._-]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** https://html.spec.whatwg.org/#multipart/form-data-encoding-algorithm */
const isUnescapedInName = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === lineFeed || byte === carriageReturn || byte === quotationMark ? 0 : 1,
);

/** https://html.spec.whatwg.org/#convert-to-a-list-of-name-value-pairs */
function normalizeLines(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(carriageReturn) && !bytes.includes(lineFeed)) return bytes;
  const normalized = new Uint8Array(bytes.length * 2);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte !== carriageReturn && byte !== lineFeed) normalized[length++] = byte;
    else {
      if (byte === carriageReturn && bytes[at + 1] === lineFeed) at++;
      normalized[length++] = carriageReturn;
      normalized[length++] = lineFeed;
    }
  }
  return normalized.subarray(0, length);
}

const textOf = ({ value }: Entry): string => (typeof value === 'string' ? value : value.name);

/** https://url.spec.whatwg.org/#concept-urlencoded-serializer */
export const urlencoded = (entries: readonly Entry[], charset: string): string =>
  new TextDecoder().decode(urlencodedBytes(entries, charset));

export function urlencodedText(text: string, charset: string): string {
  const writer = new ByteWriter(charset);
  writer.addUrlencoded(text);
  return new TextDecoder().decode(writer.written());
}

function urlencodedBytes(entries: readonly Entry[], charset: string): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(charset);
  for (const [index, entry] of entries.entries()) {
    if (index > 0) writer.addByte(ampersand);
    writer.addUrlencoded(entry.name);
    writer.addByte(equalsSign);
    writer.addUrlencoded(textOf(entry));
  }
  return writer.written();
}

/** https://html.spec.whatwg.org/#text/plain-encoding-algorithm */
function plainText(entries: readonly Entry[], charset: string): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(charset);
  for (const entry of entries) {
    writer.addLines(entry.name);
    writer.addByte(equalsSign);
    writer.addLines(textOf(entry));
    writer.addText('\r\n');
  }
  return writer.written();
}

/** @param charset - the name of an encoding that has an encoder, `UTF-8` for the default */
export function encode(
  entries: readonly Entry[],
  enctype: string,
  charset: string,
  knownBoundary?: string,
): EncodedBody {
  switch (enctype) {
    case 'multipart/form-data': {
      const boundary = knownBoundary ?? randomBoundary();
      return { contentType: `${enctype}; boundary=${boundary}`, body: multipart(entries, charset, boundary) };
    }
    case 'text/plain':
      return { contentType: enctype, body: plainText(entries, charset) };
    default:
      return { contentType: 'application/x-www-form-urlencoded', body: urlencodedBytes(entries, charset) };
  }
}

const randomBoundary = (): string => `----WebmcpFormsBoundary${crypto.randomUUID().replaceAll('-', '')}`;

/** https://html.spec.whatwg.org/#multipart/form-data-encoding-algorithm */
function multipart(entries: readonly Entry[], charset: string, boundary: string): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(charset);
  for (const { name, value } of entries) {
    writer.addText(`--${boundary}\r\nContent-Disposition: form-data; name="`);
    writer.addName(name.replace(/\r\n?|\n/g, '\r\n'));
    if (typeof value === 'string') {
      writer.addText('"\r\n\r\n');
      writer.addLines(value);
    } else {
      writer.addText('"; filename="');
      writer.addName(value.name);
      writer.addText(`"\r\nContent-Type: ${mediaTypeOf(value)}\r\n\r\n`);
      writer.addBytes(decodeBase64(value.content));
    }
    writer.addText('\r\n');
  }
  writer.addText(`--${boundary}--\r\n`);
  return writer.written();
}

function decodeBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** https://w3c.github.io/FileAPI/#constructorBlob */
const mediaTypeOf = ({ mediaType }: FileValue): string =>
  /^[\x20-\x7e]+$/.test(mediaType) ? mediaType.toLowerCase() : 'application/octet-stream';
