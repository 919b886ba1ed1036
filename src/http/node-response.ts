import { Readable, pipeline, type Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';

export type OneRequest = Pick<Dispatcher.DispatchOptions, 'origin' | 'path' | 'method' | 'headers' | 'body'>;

/**
 * Sends a request once, regardless of the response status. Undici's `fetch` takes two and a half times as much time, and its
 * `request` changes the headers of the response.
 */
export const sendOnce = (
  dispatcher: Dispatcher,
  request: OneRequest,
  signal: AbortSignal | undefined,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const handler = new ResponseHandler({ isHead: request.method === 'HEAD', signal, resolve, reject });
    try {
      if (signal?.aborted) handler.fail(undefined);
      else dispatcher.dispatch(request, handler);
    } catch (error) {
      handler.fail(error); // a header is invalid
    }
  });

interface HandlerOptions {
  readonly isHead: boolean;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #options: HandlerOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** The remaining bytes to receive after the reader has canceled the body. Infinity before that. */
  #unread = Infinity;

  constructor(options: HandlerOptions) {
    this.#options = options;
    options.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  /** Aborts a started request. A request that waits for a connection rejects immediately, and is aborted when it starts. */
  readonly #abort = (): void => {
    if (this.#controller) this.#controller.abort(this.#options.signal?.reason as Error);
    else this.fail(undefined);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#options.signal?.aborted) this.#abort();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    const headers = headersOf(controller.rawHeaders as readonly Buffer[]);
    const stream = new ReadableStream<Uint8Array>({
      start: (body) => void (this.#body = body),
      pull: () => controller.resume(),
      cancel: () => this.#readNoMore(controller),
    });
    const hasBody = !this.#options.isHead && !withoutBody.has(status);
    if (!hasBody) void stream.cancel();
    this.#options.resolve(responseOf(status, headers, hasBody ? stream : null));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (chunk.length === 0) return; // undici resumes with an empty chunk
    if (this.#unread < Infinity) {
      if ((this.#unread -= chunk.length) < 0) controller.abort(unreadError());
      return;
    }
    this.#body?.enqueue(chunk);
    if ((this.#body?.desiredSize ?? 1) <= 0) controller.pause();
  }

  onResponseEnd(): void {
    this.#stopListening();
    if (this.#unread === Infinity) this.#body?.close();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(cause: unknown): void {
    this.#stopListening();
    const { signal, reject } = this.#options;
    const errorOf = (message: string): Error =>
      signal?.aborted ? (signal.reason as Error) : new TypeError(message, { cause });
    if (this.#body) this.#body.error(errorOf('terminated'));
    else reject(errorOf('fetch failed'));
  }

  #stopListening(): void {
    this.#options.signal?.removeEventListener('abort', this.#abort);
  }

  #readNoMore(controller: Dispatcher.DispatchController): void {
    this.#unread = maxUnread;
    setTimeout(() => controller.abort(unreadError()), maxUnreadTime).unref();
    controller.resume();
  }
}

/** The maximum number of bytes to receive of a canceled body, such as of a redirect, to keep the connection reusable. */
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

/** Creates a response, also with a status that the constructor of Response rejects. */
function responseOf(status: number, headers: Headers, stream: ReadableStream<Uint8Array> | null): Response {
  const isKnown = status <= 599;
  const body = stream && decoded(stream, headers.get('content-encoding') ?? '');
  const response = new Response(body, { status: isKnown ? status : 200, headers });
  if (!isKnown) Object.defineProperty(response, 'status', { value: status });
  return response;
}

const gzip = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** Decoders for content codings that browsers support. As in browsers, truncated data is not an error. */
const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(gzip),
  'x-gzip': () => createGunzip(gzip),
  deflate: () => createInflate(gzip),
  br: () => createBrotliDecompress(brotli),
};

export const acceptEncoding = 'gzip, deflate, br';

const maxCodings = 5;

/** Decodes a body. Returns it unchanged if it has an unknown coding or too many codings. */
function decoded(stream: ReadableStream<Uint8Array>, encoding: string): ReadableStream<Uint8Array> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .reverse();
  if (encoding === '' || codings.length > maxCodings || !codings.every((each) => Object.hasOwn(decoders, each)))
    return stream;
  let body: Readable = Readable.fromWeb(stream);
  for (const coding of codings) body = pipeline(body, (decoders[coding] as () => Duplex)(), () => undefined);
  return Readable.toWeb(body) as ReadableStream<Uint8Array>;
}
