import { isLoopback, preview, urlOf } from 'webmcp-forms/headless';
import { GatewayError } from '../../../gateway-error.js';

/** The authorization server whose access tokens the gateway accepts. */
export interface OAuthOptions {
  /** The issuer of the tokens, as the metadata of the authorization server has it: `https://auth.example/realms/shop`. */
  readonly issuer: string;
  /**
   * The audience of the tokens, for an authorization server that cannot use the URL of the resource as audience.
   * @default the public URL of the gateway, or that of MCP below it
   */
  readonly audience?: string;
  /** The scope that lists actions and calls those that are read-only. @default 'forms:read' */
  readonly readScope?: string;
  /** The scope that calls all actions. @default 'forms:submit' */
  readonly submitScope?: string;
  /** The minimum time between two requests for the keys of the issuer, in milliseconds. @default 30000 */
  readonly keyCooldown?: number;
}

/** The checked options. */
export interface OAuthSettings {
  readonly issuer: string;
  /** The resource identifiers of Webtools and of MCP. https://www.rfc-editor.org/rfc/rfc9728#section-1.2 */
  readonly resources: { readonly webtools: URL; readonly mcp: URL };
  /** The allowed audiences of tokens. */
  readonly audiences: readonly string[];
  /** The configured audience. */
  readonly audience: string | undefined;
  readonly readScope: string;
  readonly submitScope: string;
  readonly keyCooldown: number;
}

/**
 * @param publicUrl - the URL at which clients reach the gateway. MCP is at `mcp` below it
 * @throws {GatewayError} `config-error`
 */
export function resolveOAuth(options: OAuthOptions, publicUrl = ''): OAuthSettings {
  const { readScope = 'forms:read', submitScope = 'forms:submit', keyCooldown = 30_000, audience } = options;
  const webtools = baseOf(checkUrl(publicUrl, 'public URL', '--public-url or publicUrl'));
  const mcp = new URL('mcp', webtools);
  checkUrl(options.issuer, 'issuer', '--oauth-issuer or issuer');
  for (const scope of [readScope, submitScope]) checkScope(scope);
  if (audience === '') throw invalid('the audience of tokens is empty. Leave it out, or set --oauth-audience');
  const audiences = audience === undefined ? [webtools, mcp].flatMap(spellings) : [audience];
  return {
    issuer: options.issuer,
    resources: { webtools, mcp },
    audience,
    audiences,
    readScope,
    submitScope,
    keyCooldown,
  };
}

function checkUrl(text: string, name: string, option: string): URL {
  const url = urlOf(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw invalid(`the ${name} ${preview(text)} is not an absolute URL with https. Correct ${option}`);
  }
  if (url.username + url.password !== '') throw invalid(`the ${name} has credentials. Remove them from ${option}`);
  if (/[?#]/.test(text)) throw invalid(`the ${name} has a query or a fragment. Remove it from ${option}`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(`the ${name} is not encrypted. Use https in ${option}, with TLS in a reverse proxy`);
  }
  return url;
}

function baseOf(url: URL): URL {
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Clients and authorization servers do not agree on the slash at the end. */
const spellings = ({ href }: URL): readonly string[] => [href, href.endsWith('/') ? href.slice(0, -1) : `${href}/`];

/** https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
function checkScope(scope: string): void {
  if (/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) return;
  throw invalid(`the scope ${preview(scope)} is empty or has other characters than printable ASCII without spaces`);
}

const invalid = (reason: string): GatewayError =>
  new GatewayError('config-error', `The configuration of OAuth is invalid: ${reason}.`);
