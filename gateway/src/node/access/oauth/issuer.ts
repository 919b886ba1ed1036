import type { OAuthMetadata } from '@modelcontextprotocol/server';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { isRecord, parseJson, preview, urlOf, type Fetch, type JsonRecord, hasCode } from 'webmcp-forms/headless';
import { GatewayError } from '../../../gateway-error.js';
import type { OAuthSettings } from './oauth.js';

export interface Issuer {
  readonly metadata: OAuthMetadata;
  /** Finds the key of a token. Requests the keys again after a while, and for an unknown key. */
  readonly keys: JWTVerifyGetKey;
}

/** Reads the metadata and the keys of an authorization server. @throws {GatewayError} `config-error` */
export async function openIssuer(settings: OAuthSettings, fetch: Fetch): Promise<Issuer> {
  const { issuer, keyCooldown, responseTimeout } = settings;
  try {
    const metadata = await readMetadata(settings, fetch);
    const keys = createRemoteJWKSet(keysUrl(metadata, issuer), {
      [customFetch]: (url, { signal }) => fetchDocument(url, fetch, responseTimeout, signal),
      cooldownDuration: keyCooldown,
      timeoutDuration: responseTimeout,
    });
    await keys.reload().catch((error: unknown) => {
      throw error instanceof IssuerFailure
        ? error
        : new IssuerFailure(`the keys at ${String(metadata.jwks_uri)} are invalid`);
    });
    // Only `issuer` and `jwks_uri` are checked. The other members are passed on to clients of older versions.
    return { metadata: metadata as unknown as OAuthMetadata, keys };
  } catch (error) {
    if (!(error instanceof IssuerFailure)) throw error;
    const message = `The authorization server ${preview(issuer)} of --oauth-issuer cannot be used: ${error.message}.`;
    throw new GatewayError('config-error', `${message} Correct the issuer, or start the gateway when it is available.`);
  }
}

/** The possible URLs of the metadata. https://www.rfc-editor.org/rfc/rfc8414#section-3 */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    `${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(places)].map((place) => `${origin}${place}`);
}

async function readMetadata({ issuer, responseTimeout }: OAuthSettings, fetch: Fetch): Promise<JsonRecord> {
  const problems = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const response = await fetchDocument(url, fetch, responseTimeout);
      return checkMetadata(parseJson(await response.text()), issuer, url);
    } catch (error) {
      if (!(error instanceof IssuerFailure)) throw error;
      problems.push(error.message);
      if (error.isOfHost) break; // the other URLs are on the same host
    }
  }
  throw new IssuerFailure(problems.join('; '));
}

function checkMetadata(metadata: unknown, issuer: string, url: string): JsonRecord {
  if (!isRecord(metadata)) throw new IssuerFailure(`${url} is not a JSON object`);
  if (metadata.issuer === issuer) return metadata;
  const other = typeof metadata.issuer === 'string' ? preview(metadata.issuer) : 'missing';
  throw new IssuerFailure(`the issuer in ${url} is ${other}, which has to be the same as --oauth-issuer`);
}

function keysUrl({ jwks_uri: uri }: JsonRecord, issuer: string): URL {
  const url = typeof uri === 'string' ? urlOf(uri) : undefined;
  if (!url) throw new IssuerFailure('its metadata has no "jwks_uri"');
  if (url.protocol === 'https:' || url.protocol === new URL(issuer).protocol) return url;
  throw new IssuerFailure(`the "jwks_uri" ${preview(url.href)} in its metadata is not a URL with https`);
}

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

const maxBytes = 1_000_000;

/**
 * Requests the metadata or the keys of an authorization server. Redirects are not followed, because keys from another
 * server could sign any token.
 *
 * @throws {IssuerFailure}
 */
async function fetchDocument(
  url: string,
  fetch: Fetch,
  timeoutMs: number,
  signal = AbortSignal.timeout(timeoutMs),
): Promise<Response> {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    const { status } = response;
    if (status === 200) return new Response(await readText(response, url));
    await response.body?.cancel();
    const isRedirect = status >= 300 && status < 400;
    throw new IssuerFailure(
      `${url} ${isRedirect ? 'responds with a redirect, which is not followed' : `has the status ${status}`}`,
    );
  } catch (error) {
    if (error instanceof IssuerFailure) throw error;
    throw new IssuerFailure(
      `${url} ${signal.aborted ? `does not respond in ${timeoutMs / 1000} s` : reasonOf(error)}`,
      { isOfHost: true },
    );
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

function reasonOf(error: unknown): string {
  const reasons = [
    ['upstream-refused-address', 'has a private or loopback address. Allow it with --allow-private'],
    ['ECONNREFUSED', 'refuses the connection'],
    ['ENOTFOUND', 'has a host that does not exist'],
    ['EAI_AGAIN', 'has a host that cannot be resolved'],
  ] as const;
  const known = reasons.find(([code]) => hasCode(error, code))?.[1];
  return known ?? ['cannot be read', ...causes(error)].join(': ');
}
