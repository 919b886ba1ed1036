import type { Entry, FileValue } from 'webmcp-forms/headless';

export interface EncodedBody {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();

const normalizeLines = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n');

/** https://html.spec.whatwg.org/#convert-to-a-list-of-name-value-pairs */
const nameValuePairs = (entries: readonly Entry[]): [string, string][] =>
  entries.map(({ name, value }) => [
    normalizeLines(name),
    normalizeLines(typeof value === 'string' ? value : value.name),
  ]);

/** https://url.spec.whatwg.org/#concept-urlencoded-serializer */
export const urlencoded = (entries: readonly Entry[]): string =>
  new URLSearchParams(nameValuePairs(entries)).toString();

/** https://html.spec.whatwg.org/#text/plain-encoding-algorithm */
const plainText = (entries: readonly Entry[]): string =>
  nameValuePairs(entries)
    .map(([name, value]) => `${name}=${value}\r\n`)
    .join('');

export function encode(entries: readonly Entry[], enctype: string, boundary = randomBoundary()): EncodedBody {
  switch (enctype) {
    case 'multipart/form-data':
      return { contentType: `${enctype}; boundary=${boundary}`, body: multipart(entries, boundary) };
    case 'text/plain':
      return { contentType: enctype, body: encoder.encode(plainText(entries)) };
    default:
      return { contentType: 'application/x-www-form-urlencoded', body: encoder.encode(urlencoded(entries)) };
  }
}

const randomBoundary = (): string => `----WebmcpFormsBoundary${crypto.randomUUID().replaceAll('-', '')}`;

/** https://html.spec.whatwg.org/#multipart/form-data-encoding-algorithm */
function multipart(entries: readonly Entry[], boundary: string): Uint8Array<ArrayBuffer> {
  const parts = entries.flatMap(({ name, value }) => {
    const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(normalizeLines(name))}"`;
    if (typeof value === 'string') return [encoder.encode(`${disposition}\r\n\r\n${normalizeLines(value)}\r\n`)];
    const head = `${disposition}; filename="${escapeName(value.name)}"\r\nContent-Type: ${mediaTypeOf(value)}\r\n\r\n`;
    const content = Uint8Array.from(atob(value.content), (byte) => byte.charCodeAt(0));
    return [encoder.encode(head), content, encoder.encode('\r\n')];
  });
  return concatBytes([...parts, encoder.encode(`--${boundary}--\r\n`)]);
}

const nameEscapes: Readonly<Record<string, string>> = { '\n': '%0A', '\r': '%0D', '"': '%22' };
const escapeName = (text: string): string => text.replace(/[\n\r"]/g, (character) => nameEscapes[character] as string);

/** https://w3c.github.io/FileAPI/#constructorBlob */
const mediaTypeOf = ({ mediaType }: FileValue): string =>
  /^[\x20-\x7e]+$/.test(mediaType) ? mediaType.toLowerCase() : 'application/octet-stream';

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
