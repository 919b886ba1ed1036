import type { OAuthMetadata } from '@modelcontextprotocol/server';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { isRecord, parseJson, preview, urlOf, type Fetch, type JsonRecord } from 'webmcp-forms/headless';
import { GatewayError } from '../../../gateway-error.js';
import { fetchDocument, IssuerFailure } from './fetch-document.js';
import type { OAuthSettings } from './options.js';

/** The authorization server. */
export interface Issuer {
  readonly metadata: OAuthMetadata;
  /** Finds the key of a token. Requests the keys again after a while, and for a key that is new. */
  readonly keys: JWTVerifyGetKey;
}

/**
 * Reads the metadata and the keys of an authorization server.
 *
 * @throws {GatewayError} `config-error`
 */
export async function openIssuer({ issuer, keyCooldown }: OAuthSettings, fetch: Fetch): Promise<Issuer> {
  try {
    const metadata = await readMetadata(issuer, fetch);
    const keys = createRemoteJWKSet(keysUrl(metadata, issuer), {
      [customFetch]: (url, { signal }) => fetchDocument(url, fetch, signal),
      cooldownDuration: keyCooldown,
    });
    await keys.reload().catch((error: unknown) => {
      throw error instanceof IssuerFailure
        ? error
        : new IssuerFailure(`the keys at ${String(metadata.jwks_uri)} are invalid`);
    });
    // Clients of older versions read the metadata from the gateway as the issuer has written it, so its other members are not checked.
    return { metadata: metadata as unknown as OAuthMetadata, keys };
  } catch (error) {
    if (!(error instanceof IssuerFailure)) throw error;
    const message = `The authorization server ${preview(issuer)} of --oauth-issuer cannot be used: ${error.message}.`;
    throw new GatewayError('config-error', `${message} Correct the issuer, or start the gateway when it is available.`);
  }
}

/** The places of the metadata. https://www.rfc-editor.org/rfc/rfc8414#section-3 */
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

async function readMetadata(issuer: string, fetch: Fetch): Promise<JsonRecord> {
  const problems = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const response = await fetchDocument(url, fetch);
      return checkMetadata(parseJson(await response.text()), issuer, url);
    } catch (error) {
      if (!(error instanceof IssuerFailure)) throw error;
      problems.push(error.message);
      if (error.isOfHost) break; // the other places are on the same host
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
