const maxDecodings = 5;

/** Decodes a part of a URL repeatedly, at most `maxDecodings` times, because servers and frameworks may do so, too. */
export function decodeFully(text: string): string {
  let decoded = text;
  for (let count = 0; count < maxDecodings && decoded.includes('%'); count++) {
    const next = decoded.replace(/%u00(?=[\da-f]{2})/gi, '%').replace(/(?:%[\da-f]{2})+/gi, decodeBytes);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

/** An ASCII character in an overlong UTF-8 encoding of two, three or four bytes. */
const overlong = /%(?:c|e0%8|f0%80%8)([01])%([89ab][\da-f])/gi;

/** Decodes percent-encoded UTF-8. Each invalid byte becomes a replacement character. */
const decodeBytes = (bytes: string): string =>
  utf8.decode(
    Uint8Array.from(bytes.replace(overlong, shortest).slice(1).split('%'), (hex) => Number.parseInt(hex, 16)),
  );

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const shortest = (_: string, high: string, low: string): string =>
  `%${((Number(high) << 6) | (Number.parseInt(low, 16) & 0x3f)).toString(16).padStart(2, '0')}`;

/** A URL's path and query, and how servers may read them: `/pr%69vate`, `//private` and `/private;a=1` as `/private`. */
export function readingsOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): readonly string[] {
  // A decoded question mark does not start the query, and some servers read a decoded backslash as a slash.
  const path = decodeFully(pathname).replaceAll('?', '%3F').replaceAll('\\', '/');
  const query = decodeFully(search);
  const plain = (each: string): string => each.replace(/;[^/]*/g, '').replace(/\/{2,}/g, '/');
  return [...new Set([pathname + search, plain(pathname) + search, path + query, resolveDots(plain(path)) + query])];
}

function resolveDots(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/').replace(/^\//, '')}`;
}
