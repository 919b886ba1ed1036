type Decoder = InstanceType<typeof TextDecoder>;

interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

/**
 * Decodes a response as a browser does: by its byte order mark, its `Content-Type`, then its markup. The default is
 * UTF-8 for valid UTF-8, otherwise windows-1252.
 * https://html.spec.whatwg.org/#determining-the-character-encoding
 */
export function decodeBytes(bytes: Uint8Array, contentType: string): DecodedText {
  const isPage = /\bhtml\b/i.test(contentType);
  const decoder =
    sniffByteOrderMark(bytes) ??
    createDecoder(/;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]) ??
    (isPage ? createDecoder(metaCharset(bytes)) : undefined) ??
    new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  const { encoding } = decoder;
  const text = decoder.decode(bytes);
  return { text: encoding === 'windows-1252' ? replaceC1(text) : text, encoding };
}

/**
 * Windows-1252 from 0x80 to 0x9f, which Node.js 20 decodes as ISO-8859-1. https://github.com/nodejs/node/issues/56542
 */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const replaceC1 = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (character) => windows1252.charAt(character.charCodeAt(0) - 0x80));

/** https://encoding.spec.whatwg.org/#bom-sniff */
function sniffByteOrderMark([first, second, third]: Uint8Array): Decoder | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8');
  if (first === 0xfe && second === 0xff) return createDecoder('utf-16be');
  return first === 0xff && second === 0xfe ? createDecoder('utf-16le') : undefined;
}

/** Returns undefined for an invalid or unsupported encoding label. */
export function createDecoder(label: string | undefined): Decoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label);
  } catch {
    return undefined;
  }
}

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
