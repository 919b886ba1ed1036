import { limits } from '../limits.js';

/** The page is in the fragment of the URL, which browsers do not send to servers. */
const prefix = '#html=';

/** Returns the URL of the playground with a page in it; undefined if the URL is too long. */
export async function createShareUrl(source: string): Promise<string | undefined> {
  const bytes = await convert(new Blob([source]), new CompressionStream('deflate-raw'), Infinity);
  const { origin, pathname } = location;
  const url = `${origin}${pathname}${prefix}${toBase64Url(bytes)}`;
  return url.length <= limits.url ? url : undefined;
}

/**
 * Reads the page of a fragment; undefined for other fragments. Browsers decompress all that they are given at once, so
 * that the length of the fragment bounds the memory; the page is cut at its limit. Throws an error for invalid fragments.
 */
export async function readShared(hash: string): Promise<string | undefined> {
  if (!hash.startsWith(prefix)) return undefined;
  if (hash.length > limits.url) throw new RangeError('The fragment is longer than those of links to the playground.');
  const compressed = new Blob([fromBase64Url(hash.slice(prefix.length))]);
  const bytes = await convert(compressed, new DecompressionStream('deflate-raw'), limits.page);
  return new TextDecoder().decode(bytes);
}

/** Reads a stream up to a number of bytes. */
async function convert(
  input: Blob,
  stream: CompressionStream | DecompressionStream,
  max: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = (input.stream() as ReadableStream<BufferSource>).pipeThrough(stream).getReader();
  const chunks: BlobPart[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done && length < max; part = await reader.read()) {
    chunks.push(part.value);
    length += part.value.length;
  }
  void reader.cancel();
  return new Uint8Array(await new Blob(chunks).arrayBuffer()).slice(0, max === Infinity ? undefined : max);
}

/** Long argument lists exceed the stack. */
const chunkLength = 10_000;

function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += chunkLength)
    text += String.fromCharCode(...bytes.subarray(at, at + chunkLength));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
