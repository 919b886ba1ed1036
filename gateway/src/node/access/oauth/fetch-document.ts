import { hasCode, type Fetch } from 'webmcp-forms/headless';

/** The reason why a document of an authorization server cannot be read. */
export class IssuerFailure extends Error {
  override readonly name = 'IssuerFailure';
  /** Whether other documents of the host fail too. */
  readonly isOfHost: boolean;

  constructor(message: string, { isOfHost = false } = {}) {
    super(message);
    this.isOfHost = isOfHost;
  }
}

const timeoutMs = 5000;
const maxBytes = 1_000_000;

/**
 * Requests the metadata or the keys of an authorization server. Redirects are not followed, because keys of another place could
 * sign any token.
 *
 * @throws {IssuerFailure}
 */
export async function fetchDocument(
  url: string,
  fetch: Fetch,
  signal = AbortSignal.timeout(timeoutMs),
): Promise<Response> {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    const { status } = response;
    if (status === 200) return new Response(await readText(response, url));
    await response.body?.cancel();
    const isRedirect = status >= 300 && status < 400;
    throw new IssuerFailure(`${url} ${isRedirect ? 'redirects, which is not followed' : `has the status ${status}`}`);
  } catch (error) {
    if (error instanceof IssuerFailure) throw error;
    throw new IssuerFailure(`${url} ${reasonOf(error, signal)}`, { isOfHost: true });
  }
}

async function readText({ body }: Response, url: string): Promise<string> {
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw new IssuerFailure(`${url} has more than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** The codes of system errors and of TLS, such as `CERT_HAS_EXPIRED`. */
function causes(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z_\d]{1,60}$/.test(code) ? [code] : causes(error.cause);
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `does not respond in ${timeoutMs / 1000} s`;
  const reasons = [
    ['upstream-refused-address', 'has a private or loopback address. Allow it with --allow-private'],
    ['ECONNREFUSED', 'refuses the connection'],
    ['ENOTFOUND', 'has a host that does not exist'],
    ['EAI_AGAIN', 'has a host that cannot be resolved'],
  ] as const;
  const known = reasons.find(([code]) => hasCode(error, code))?.[1];
  return known ?? ['cannot be read', ...causes(error)].join(': ');
}
