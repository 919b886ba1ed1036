import type { HttpClient, HttpErrors, HttpResponse } from './client.js';
import type { Deadline } from './deadline.js';

/** Yields the chunks of a body. Leaving the loop early cancels the response. */
export async function* bodyOf(
  response: Response,
  { errors }: HttpClient,
  url: URL,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await deadline.race(reader.read()).catch((cause: unknown) => {
        throw deadline.signal.aborted ? deadline.signal.reason : errors.broken(cause, url);
      });
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

export async function readBody(
  { body }: Pick<HttpResponse, 'body'>,
  errors: HttpErrors,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw errors.tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return concatBytes(chunks);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
