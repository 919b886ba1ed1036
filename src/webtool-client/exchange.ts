import { parseJson } from '../json.js';
import { failureIn, WebtoolError } from './webtool-error.js';

export type WebtoolFetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Connection {
  readonly url: URL;
  readonly fetch: WebtoolFetch;
  readonly headers: Headers;
  /** The URL in error messages: without the query, which may hold a key. */
  readonly displayUrl: string;
}

const maxBytes = 8_000_000;

/**
 * Sends a request and resolves with the JSON of a successful response. Redirects are not followed: they would send headers
 * and configuration to another server.
 */
export async function exchange(connection: Connection, url: URL, init: RequestInit): Promise<unknown> {
  let response: Response | undefined;
  const createError = (reason: string, code = 'BAD_ANSWER', cause?: unknown): WebtoolError => {
    const message = `The webtool at ${connection.displayUrl} ${reason}${retryHint(init, response)}`;
    return new WebtoolError(code, message, { status: response?.status, cause });
  };
  try {
    response = await connection.fetch(url.href, { ...init, redirect: 'manual' });
    return await readResponse(response, createError);
  } catch (error) {
    init.signal?.throwIfAborted();
    if (error instanceof WebtoolError) throw error;
    throw createError(response ? 'aborted its response.' : unreachable(url), 'WEBTOOL_UNREACHABLE', error);
  }
}

type CreateError = (reason: string, code?: string) => WebtoolError;

async function readResponse(response: Response, createError: CreateError): Promise<unknown> {
  const { status, ok, body, headers } = response;
  const isJson = /^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '');
  if (isRedirect(response) || !isJson) await body?.cancel();
  if (isRedirect(response)) throw createError('redirects. Use the URL that it redirects to.', 'WEBTOOL_REDIRECTS');
  if (!isJson) throw createError(`responded with status ${status} and without application/json.`);
  const value = parseJson(await readText(body, createError));
  if (value === undefined) throw createError('responded with invalid JSON.');
  const failure = failureIn(value, status);
  if (failure) throw failure;
  if (!ok) throw createError(`responded with status ${status} and without a reason.`);
  return value;
}

/** The message about a failed request. Browsers do not report the reason. */
function unreachable(url: URL): string {
  const { origin = url.origin } = globalThis as { origin?: string };
  const hint = origin === url.origin ? '' : ', or does not allow requests of this page (see CORS and connect-src)';
  return `cannot be reached${hint}.`;
}

function retryHint({ method }: RequestInit, response: Response | undefined): string {
  const isRejected = response && (isRedirect(response) || (response.status >= 400 && response.status < 500));
  return method === 'POST' && !isRejected ? mayHaveRun : '';
}

export const mayHaveRun = ' The call may have run. Check before you repeat it.';

/** Whether a response is a redirect. Browsers hide its status, and a custom fetch may have followed it. */
const isRedirect = ({ type, status, redirected }: Response): boolean =>
  type === 'opaqueredirect' || redirected || (status >= 300 && status < 400);

async function readText(body: ReadableStream<Uint8Array> | null, createError: CreateError): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = '';
  for (let length = 0; ;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return text + decoder.decode();
    length += value?.length ?? 0;
    if (length > maxBytes) {
      await reader?.cancel();
      throw createError(`responded with more than ${maxBytes} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
