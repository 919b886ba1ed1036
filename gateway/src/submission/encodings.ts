import type { Entry, FileValue } from 'webmcp-forms/headless';

/** The body of a request and what its `Content-Type` says. */
export interface EncodedBody {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();

/** The line ends that are sent. */
const lines = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n');

/**
 * The entries as text; a file is its name.
 * https://html.spec.whatwg.org/#convert-to-a-list-of-name-value-pairs
 */
const pairs = (entries: readonly Entry[]): [string, string][] =>
  entries.map(({ name, value }) => [lines(name), lines(typeof value === 'string' ? value : value.name)]);

/** https://url.spec.whatwg.org/#concept-urlencoded-serializer */
export const urlencoded = (entries: readonly Entry[]): string => new URLSearchParams(pairs(entries)).toString();

/** https://html.spec.whatwg.org/#text/plain-encoding-algorithm */
const plain = (entries: readonly Entry[]): string =>
  pairs(entries)
    .map(([name, value]) => `${name}=${value}\r\n`)
    .join('');

export function encode(entries: readonly Entry[], enctype: string, boundary = randomBoundary()): EncodedBody {
  switch (enctype) {
    case 'multipart/form-data':
      return { contentType: `${enctype}; boundary=${boundary}`, body: multipart(entries, boundary) };
    case 'text/plain':
      return { contentType: enctype, body: encoder.encode(plain(entries)) };
    default:
      return { contentType: 'application/x-www-form-urlencoded', body: encoder.encode(urlencoded(entries)) };
  }
}

const randomBoundary = (): string => `----WebmcpFormsBoundary${crypto.randomUUID().replaceAll('-', '')}`;

/** https://html.spec.whatwg.org/#multipart/form-data-encoding-algorithm */
function multipart(entries: readonly Entry[], boundary: string): Uint8Array<ArrayBuffer> {
  const parts = entries.flatMap(({ name, value }) => {
    const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(lines(name))}"`;
    if (typeof value === 'string') return [encoder.encode(`${disposition}\r\n\r\n${lines(value)}\r\n`)];
    const type = mediaTypeOf(value);
    const head = `${disposition}; filename="${escaped(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`;
    return [encoder.encode(head), bytesOf(value), encoder.encode('\r\n')];
  });
  return joined([...parts, encoder.encode(`--${boundary}--\r\n`)]);
}

const escapes: Readonly<Record<string, string>> = { '\n': '%0A', '\r': '%0D', '"': '%22' };
const escaped = (text: string): string => text.replace(/[\n\r"]/g, (character) => escapes[character] as string);

/** https://w3c.github.io/FileAPI/#constructorBlob (what is no printable ASCII is no type) */
const mediaTypeOf = ({ mediaType }: FileValue): string =>
  /^[\x20-\x7e]+$/.test(mediaType) ? mediaType.toLowerCase() : 'application/octet-stream';

const bytesOf = ({ content }: FileValue): Uint8Array => Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0));

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
