// oxlint-disable-next-line typescript/triple-slash-reference -- other projects that compile this file have no other way to find it
/// <reference path="./html-encoding-sniffer.d.ts" />
import { getBOMEncoding, legacyHookDecode, normalizeEncoding } from '@exodus/bytes/encoding.js';
import sniffHtmlEncoding from 'html-encoding-sniffer';

export interface DecodedText {
  /** Without a byte order mark. */
  readonly text: string;
  /** The name of an encoding of the Encoding Standard, in lower case. */
  readonly encoding: string;
}

/** A decoded file, with its declared encoding. */
export interface DecodedPage extends DecodedText {
  /** The encoding of its byte order mark or meta element, if any. */
  readonly declared: string | undefined;
}

/**
 * Decodes a response as a browser does: by its byte order mark, its `Content-Type`, then its markup. The default is
 * UTF-8 for valid UTF-8, otherwise windows-1252.
 * https://html.spec.whatwg.org/#determining-the-character-encoding
 */
export function decodeBytes(bytes: Uint8Array, contentType: string): DecodedText {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  const declared = /\bhtml\b/i.test(contentType)
    ? declaredEncoding(bytes, label)
    : (getBOMEncoding(bytes) ?? encodingOf(label));
  return decode(bytes, declared ?? defaultEncoding(bytes));
}

/**
 * Decodes a page that has no `Content-Type`, such as a file.
 *
 * Deviates from the spec: bytes beyond ASCII that are valid UTF-8 are read as UTF-8, whatever the markup declares. Servers
 * declare UTF-8 in the `Content-Type`, so that browsers ignore an outdated declaration in the page.
 */
export function decodePage(bytes: Uint8Array): DecodedPage {
  const declared = declaredEncoding(bytes);
  const isCertain = getBOMEncoding(bytes) !== null || !isUtf8(bytes) || !hasNonAscii(bytes);
  return { ...decode(bytes, isCertain ? (declared ?? defaultEncoding(bytes)) : 'utf-8'), declared };
}

/** @returns undefined for an invalid label. https://encoding.spec.whatwg.org/#concept-encoding-get */
export const encodingOf = (label: string | undefined): string | undefined =>
  label === undefined ? undefined : (normalizeEncoding(label) ?? undefined);

const undeclared = 'undeclared';

/**
 * The encoding of a page's byte order mark, of its `Content-Type`, or of a meta element in its first 1024 bytes or, as in
 * browsers, later in its head. https://html.spec.whatwg.org/#change-the-encoding
 */
const declaredEncoding = (bytes: Uint8Array, label?: string): string | undefined =>
  sniff(bytes, label) ??
  lateMetas(bytes).reduce<string | undefined>((found, at) => found ?? sniff(bytes.subarray(at)), undefined);

function sniff(bytes: Uint8Array, label?: string): string | undefined {
  const transport = label === undefined ? {} : { transportLayerEncodingLabel: label };
  const encoding = sniffHtmlEncoding(bytes, { defaultEncoding: undeclared, ...transport });
  return encoding === undeclared ? undefined : encoding.toLowerCase();
}

/** The offsets of meta elements with a charset that end after the first 1024 bytes and before the body. */
function lateMetas(bytes: Uint8Array): readonly number[] {
  const text = new TextDecoder('iso-8859-2').decode(bytes.subarray(0, maxHeadBytes));
  const head = text
    .slice(0, /<body[\s>]|$/i.exec(text)?.index)
    .replace(/<!--(?:.*?-->|.*)/gs, (comment) => ' '.repeat(comment.length));
  const metas = [...head.matchAll(/<meta[^<>]{0,500}charset[^<>]{0,100}/gi)];
  return metas.flatMap(({ index, 0: { length } }) => (index + length > 1024 ? index : []));
}

const maxHeadBytes = 100_000;

const defaultEncoding = (bytes: Uint8Array): string => (isUtf8(bytes) ? 'utf-8' : 'windows-1252');

const decode = (bytes: Uint8Array, encoding: string): DecodedText => ({
  text: legacyHookDecode(bytes, encoding),
  encoding,
});

const hasNonAscii = (bytes: Uint8Array): boolean => bytes.some((byte) => byte > 0x7f);

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
