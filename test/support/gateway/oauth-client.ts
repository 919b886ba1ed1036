import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import assert from 'node:assert/strict';
import { CookieJar } from 'tough-cookie';
import { client as registered, mcpResource, publicUrl } from './authorization-server.js';
import type { Mode } from './mcp-clients.js';
import type { Cleaning } from './mcp-shop.js';

const [redirectUrl = ''] = registered.redirect_uris;

/** Sends the requests to the public URL of a gateway as its proxy does. */
export const throughProxy =
  (port: number): FetchLike =>
  (url, init) =>
    fetch(String(url).replace(publicUrl, `http://127.0.0.1:${port}/`), init);

/** The memory of an OAuth client, and the browser of its user. */
export class OAuthMemory implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = registered;
  /** The parameters of the callback, after the user has authorized the client. */
  callback: URLSearchParams | undefined;
  stored: OAuthTokens | undefined;
  /** The scopes that were requested. */
  readonly scopes: (string | null)[] = [];
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  clientInformation = (): typeof registered => registered;
  discoveryState = (): OAuthDiscoveryState | undefined => this.#discovery;
  tokens = (): OAuthTokens | undefined => this.stored;
  codeVerifier = (): string => this.#verifier;

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.stored = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.scopes.push(url.searchParams.get('scope'));
    this.callback = await browse(url);
  }
}

/** Follows the redirects of an authorization to the callback, as a browser does. */
async function browse(start: URL): Promise<URLSearchParams> {
  const jar = new CookieJar();
  let url = start;
  for (let hops = 0; hops < 10; hops++) {
    if (url.href.startsWith(redirectUrl)) return url.searchParams;
    const headers = { cookie: await jar.getCookieString(url.href) };
    const response = await fetch(url, { headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) await jar.setCookie(cookie, url.href);
    const location = response.headers.get('location');
    assert.ok(location !== null, await response.text());
    url = new URL(location, url);
  }
  return assert.fail(`the authorization redirects to itself: ${url.href}`);
}

export interface AuthorizedClient {
  readonly client: Client;
  /** Runs a request. If the client needs another authorization, the user gives it, and the request runs again. */
  readonly authorized: <Result>(request: () => Promise<Result>) => Promise<Result>;
}

/** Connects the official client. The user authorizes it. */
export async function connectAuthorized(
  t: Cleaning,
  port: number,
  mode: Mode,
  memory: OAuthMemory,
): Promise<AuthorizedClient> {
  const open = (): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(new URL(mcpResource), { authProvider: memory, fetch: throughProxy(port) });
  const create = (): Client => new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  let [client, transport] = [create(), open()];
  if (!(await client.connect(transport).then(() => true, isUnauthorized))) {
    await transport.finishAuth(memory.callback ?? assert.fail('the user was not asked'));
    [client, transport] = [create(), open()];
    await client.connect(transport);
  }
  t.onTestFinished(() => client.close());
  const authorized = async <Result>(request: () => Promise<Result>): Promise<Result> => {
    try {
      return await request();
    } catch (error) {
      isUnauthorized(error);
      await transport.finishAuth(memory.callback ?? assert.fail('the user was not asked'));
      return await request();
    }
  };
  return { client, authorized };
}

function isUnauthorized(error: unknown): false {
  if (error instanceof UnauthorizedError) return false;
  throw error;
}
