import { parse } from '../json.js';
import { failureIn, WebtoolError } from './webtool-error.js';

/** The part of the platform's fetch that is used. */
export type WebtoolFetch = (url: string, init: RequestInit) => Promise<Response>;

/** The way to a webtool. */
export interface Connection {
  readonly url: URL;
  readonly fetch: WebtoolFetch;
  readonly headers: Headers;
  /** The URL as errors tell it: without the query, which may hold a key. */
  readonly place: string;
}

const mostBytes = 8_000_000;

/**
 * Sends one request and resolves with the JSON of its answer, unless that tells a failure. Redirects are not followed, so
 * that neither headers nor configuration go where nobody has sent them.
 */
export async function exchange(connection: Connection, url: URL, init: RequestInit): Promise<unknown> {
  let response: Response | undefined;
  const wrong = (reason: string, code = 'BAD_ANSWER', cause?: unknown): WebtoolError => {
    const message = `The webtool at ${connection.place} ${reason}${hintOf(init, response)}`;
    return new WebtoolError(code, message, { status: response?.status, cause });
  };
  try {
    response = await connection.fetch(url.href, { ...init, redirect: 'manual' });
    return await answerOf(response, wrong);
  } catch (error) {
    init.signal?.throwIfAborted();
    if (error instanceof WebtoolError) throw error;
    throw wrong(response ? 'broke off its answer.' : unreachable(url), 'WEBTOOL_UNREACHABLE', error);
  }
}

type WrongOf = (reason: string, code?: string) => WebtoolError;

async function answerOf(response: Response, wrong: WrongOf): Promise<unknown> {
  const { status, ok, body, headers } = response;
  const isJson = /^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '');
  if (isRedirect(response) || !isJson) await body?.cancel();
  if (isRedirect(response)) throw wrong('redirects: give the URL that it leads to.', 'WEBTOOL_REDIRECTS');
  if (!isJson) throw wrong(`answers with status ${status}, but not with application/json.`);
  const answer = parsed(await textOf(body, wrong));
  if (answer === undefined) throw wrong('answers with what is no JSON.');
  const told = failureIn(answer, status);
  if (told) throw told;
  if (!ok) throw wrong(`answers with status ${status}, and does not say why.`);
  return answer;
}

/** Browsers do not say why. */
function unreachable(url: URL): string {
  const { origin = url.origin } = globalThis as { origin?: string };
  const hint = origin === url.origin ? '' : ', or does not let this page ask (see CORS and connect-src)';
  return `cannot be reached${hint}.`;
}

/** A call that was sent may have run, unless it was refused. */
function hintOf({ method }: RequestInit, response: Response | undefined): string {
  const isRefused = response && (isRedirect(response) || (response.status >= 400 && response.status < 500));
  return method === 'POST' && !isRefused ? mayHaveRun : '';
}

export const mayHaveRun = ' The call may have run: look before you repeat it.';

/** Browsers hide a redirect that is not followed; a fetch that was given may follow one. */
const isRedirect = ({ type, status, redirected }: Response): boolean =>
  type === 'opaqueredirect' || redirected || (status >= 300 && status < 400);

async function textOf(body: ReadableStream<Uint8Array> | null, wrong: WrongOf): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = '';
  for (let length = 0; ;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return text + decoder.decode();
    length += value?.length ?? 0;
    if (length > mostBytes) {
      await reader?.cancel();
      throw wrong(`answers with more than ${mostBytes} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** A parser's own error would quote the text. */
function parsed(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    return undefined;
  }
}
