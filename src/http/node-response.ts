import { Readable, pipeline, type Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';

/** A request as undici sends it. */
export type OneRequest = Pick<Dispatcher.DispatchOptions, 'origin' | 'path' | 'method' | 'headers' | 'body'>;

/**
 * Sends a request once, whatever the status of its response. The functions `fetch` and `request` of undici cost two and a half
 * times as much, or have other headers than the site has sent.
 */
export const sendOnce = (
  dispatcher: Dispatcher,
  request: OneRequest,
  signal: AbortSignal | undefined,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    let stopListening = (): void => undefined;
    let unread = Infinity; // the bytes that are still received after nobody reads them
    const errorOf = (message: string, cause: unknown): Error =>
      signal?.aborted ? (signal.reason as Error) : new TypeError(message, { cause });
    const fail = (cause: unknown): void => {
      stopListening();
      if (body) body.error(errorOf('terminated', cause));
      else reject(errorOf('fetch failed', cause));
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        const abort = (): void => controller.abort(signal?.reason as Error);
        if (signal?.aborted) return abort();
        signal?.addEventListener('abort', abort, { once: true });
        stopListening = () => signal?.removeEventListener('abort', abort);
      },
      onResponseStart(controller, status) {
        if (status < 200) return;
        const headers = headersOf(controller.rawHeaders as readonly Buffer[]);
        const stream = new ReadableStream<Uint8Array>({
          start: (created) => void (body = created),
          pull: () => controller.resume(),
          cancel() {
            unread = maxUnread;
            setTimeout(() => controller.abort(unreadError()), maxUnreadTime).unref();
            controller.resume();
          },
        });
        const hasBody = request.method !== 'HEAD' && !withoutBody.has(status);
        if (!hasBody) void stream.cancel();
        resolve(responseOf(status, headers, hasBody ? stream : null));
      },
      onResponseData(controller, chunk) {
        if (chunk.length === 0) return; // undici resumes with an empty chunk
        if (unread < Infinity) {
          if ((unread -= chunk.length) < 0) controller.abort(unreadError());
          return;
        }
        body?.enqueue(chunk);
        if ((body?.desiredSize ?? 1) <= 0) controller.pause();
      },
      onResponseEnd() {
        stopListening();
        if (unread === Infinity) body?.close();
      },
      onResponseError: (_, error) => fail(error),
    };
    try {
      dispatcher.dispatch(request, handler);
    } catch (error) {
      fail(error);
    }
  });

/** So much of a body is received although nobody reads it, such as that of a redirect, so that its connection can be used again. */
const maxUnread = 65_536;
const maxUnreadTime = 1_000;
const unreadError = (): Error => new Error('The body is not read further.');

function headersOf(raw: readonly Buffer[]): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers.append((raw[index] as Buffer).toString('latin1'), (raw[index + 1] as Buffer).toString('latin1'));
  return headers;
}

/** https://fetch.spec.whatwg.org/#null-body-status */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** Servers send statuses that the constructor of Response refuses. */
function responseOf(status: number, headers: Headers, stream: ReadableStream<Uint8Array> | null): Response {
  const isKnown = status <= 599;
  const body = stream && decoded(stream, headers.get('content-encoding') ?? '');
  const response = new Response(body, { status: isKnown ? status : 200, headers });
  if (!isKnown) Object.defineProperty(response, 'status', { value: status });
  return response;
}

const gzip = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** The codings that browsers accept, whose ends may be missing as in browsers. */
const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(gzip),
  'x-gzip': () => createGunzip(gzip),
  deflate: () => createInflate(gzip),
  br: () => createBrotliDecompress(brotli),
};

export const acceptEncoding = 'gzip, deflate, br';

const maxCodings = 5;

/** The body without its codings, or as it was sent if one of them is unknown. */
function decoded(stream: ReadableStream<Uint8Array>, encoding: string): ReadableStream<Uint8Array> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .reverse();
  if (encoding === '' || codings.length > maxCodings || !codings.every((each) => Object.hasOwn(decoders, each)))
    return stream;
  const steps = codings.map((coding) => (decoders[coding] as () => Duplex)());
  const last = pipeline([Readable.fromWeb(stream as never), ...steps], () => undefined) as unknown as Readable;
  return Readable.toWeb(last) as ReadableStream<Uint8Array>;
}
