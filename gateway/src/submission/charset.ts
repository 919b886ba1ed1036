type Decoder = InstanceType<typeof TextDecoder>;

/** A text with the encoding that it was decoded by. */
export interface Decoded {
  readonly text: string;
  readonly encoding: string;
}

/**
 * Decodes an answer as a browser does: by its byte order mark, its `Content-Type`, then its markup; whatever is wrong in
 * it becomes U+FFFD. What says nothing is UTF-8 if it can be, else windows-1252.
 * https://html.spec.whatwg.org/#determining-the-character-encoding
 */
export function decode(bytes: Uint8Array, contentType: string): Decoded {
  const said = markOf(bytes) ?? decoderOf(charsetIn(contentType));
  if (said) return decoded(said, bytes);
  const markup = /\bhtml\b/i.test(contentType) ? decoderOf(metaCharset(bytes)) : undefined;
  return decoded(markup ?? new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252'), bytes);
}

const decoded = (decoder: Decoder, bytes: Uint8Array): Decoded => ({
  text: decoder.encoding === 'windows-1252' ? withoutC1(decoder.decode(bytes)) : decoder.decode(bytes),
  encoding: decoder.encoding,
});

/** What windows-1252 has at 0x80 to 0x9f, which Node 20 takes for ISO-8859-1. https://github.com/nodejs/node/issues/56542 */
const beyondLatin1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const withoutC1 = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (character) => beyondLatin1.charAt(character.charCodeAt(0) - 0x80));

/** https://encoding.spec.whatwg.org/#bom-sniff */
function markOf([first, second, third]: Uint8Array): Decoder | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8');
  if (first === 0xfe && second === 0xff) return decoderOf('utf-16be');
  return first === 0xff && second === 0xfe ? decoderOf('utf-16le') : undefined;
}

/** Undefined for what is no label, or no encoding that this runtime has. */
function decoderOf(label: string | undefined): Decoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

const charsetIn = (contentType: string): string | undefined => /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];

/** https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding Deviates from the spec: any meta counts. */
function metaCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1024));
  const label = /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?([^\s"'/>;]+)/i.exec(start)?.[1];
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
