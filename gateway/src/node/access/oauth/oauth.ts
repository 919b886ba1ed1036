import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
} from '@modelcontextprotocol/server';
import { createHash } from 'node:crypto';
import { type Fetch, isLoopback, preview, urlOf } from 'webmcp-forms/headless';
import { HttpError } from '../../../http/json-response.js';
import type { Access, AccessRefusal } from '../../../settings.js';
import { bearerToken, type Authenticated } from '../tokens.js';
import { IssuerFailure, openIssuer, type Issuer } from './issuer.js';
import { TokenProblem, verifyToken } from './verify-token.js';
import { GatewayError } from '../../../gateway-error.js';

/**
 * Creates the verifier of an authorization server's tokens.
 *
 * @throws {GatewayError} `config-error`, also if the authorization server is unavailable
 */
export async function openOAuth(options: OAuthOptions, publicUrl: string | undefined, fetch: Fetch): Promise<OAuth> {
  const settings = resolveOAuth(options, publicUrl);
  return new OAuth(settings, await openIssuer(settings, fetch));
}

/**
 * Makes the gateway a resource server of OAuth.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export class OAuth {
  readonly #settings: OAuthSettings;
  readonly #issuer: Issuer;

  constructor(settings: OAuthSettings, issuer: Issuer) {
    [this.#settings, this.#issuer] = [settings, issuer];
  }

  get host(): string {
    return this.#settings.resources.webtools.hostname;
  }

  /**
   * Authenticates the subject of an access token.
   *
   * @throws {HttpError} `authorization-unavailable`
   */
  async authenticate(authorization: string, path: string): Promise<Authenticated | TokenProblem> {
    const { issuer, audience } = this.#settings;
    const resource = audience ?? this.#resource(path).href;
    try {
      const { subject, scopes } = await verifyToken(bearerToken(authorization), this.#issuer, this.#settings, resource);
      const identity = createHash('sha256')
        .update(JSON.stringify([issuer, subject]))
        .digest('hex');
      return { name: clientName(subject, identity), identity, scopes };
    } catch (error) {
      if (error instanceof TokenProblem) return error;
      throw this.#unavailable(error);
    }
  }

  /** @param problem - undefined if the request has no token */
  unauthorized(path: string, problem: TokenProblem | undefined): HttpError {
    const { issuer, readScope } = this.#settings;
    const advice = `Get an access token from ${issuer}, and send it as "Authorization: Bearer ...".`;
    const message = problem ? problem.message : `The token is missing. ${advice}`;
    const error = problem && new OAuthError(OAuthErrorCode.InvalidToken, message);
    const challenge = this.#challenge(path, error, readScope);
    return new HttpError('unauthorized', message, { headers: { 'www-authenticate': challenge } });
  }

  /** @param scopes - the scopes of the access token; undefined for other tokens */
  refusal({ url }: Request, scopes: readonly string[] | undefined, access: Access): AccessRefusal | undefined {
    const { readScope, submitScope } = this.#settings;
    const sufficient = access === 'read' ? [readScope, submitScope] : [submitScope];
    if (!scopes || sufficient.some((scope) => scopes.includes(scope))) return undefined;
    const [needed = ''] = sufficient;
    const message = `The token lacks the scope ${needed}. Request a token with it.`;
    const error = new OAuthError(OAuthErrorCode.InsufficientScope, message);
    return { message, challenge: this.#challenge(new URL(url).pathname, error, needed) };
  }

  /** The response to a request for the metadata of the protected resource; undefined for other requests. */
  metadataResponse(request: Request): Response | undefined {
    const { resources, readScope, submitScope } = this.#settings;
    const options = {
      oauthMetadata: this.#issuer.metadata,
      scopesSupported: [readScope, submitScope],
      dangerouslyAllowInsecureIssuerUrl: true, // the options were checked
    };
    return (
      oauthMetadataResponse(request, { ...options, resourceServerUrl: resources.mcp }) ??
      oauthMetadataResponse(request, { ...options, resourceServerUrl: resources.webtools })
    );
  }

  #resource(path: string): URL {
    const { mcp, webtools } = this.#settings.resources;
    return path === '/mcp' ? mcp : webtools;
  }

  /** A request without a token has no error. https://www.rfc-editor.org/rfc/rfc6750#section-3.1 */
  #challenge(path: string, error: OAuthError | undefined, scope: string): string {
    const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(this.#resource(path));
    if (!error) return `Bearer realm="webmcp-gateway", scope="${scope}", resource_metadata="${resourceMetadataUrl}"`;
    const response = bearerAuthChallengeResponse(error, { requiredScopes: [scope], resourceMetadataUrl });
    return response.headers.get('www-authenticate') ?? '';
  }

  #unavailable(error: unknown): HttpError {
    const reason = error instanceof IssuerFailure ? error.message : 'its keys are invalid';
    const message = `The gateway cannot check tokens of ${this.#settings.issuer}: ${reason}. Nothing was sent to the site. Try again later.`;
    return new HttpError('authorization-unavailable', message, { headers: { 'retry-after': '5' } });
  }
}

/** The name of a client for the log and for limits. Names of other tokens contain no colon. */
const clientName = (subject: string, identity: string): string =>
  `oauth:${/^[\x21-\x7e]{1,64}$/.test(subject) ? subject : identity.slice(0, 16)}`;

/** The authorization server whose access tokens the gateway accepts. */
export interface OAuthOptions {
  /** The issuer in the metadata of the authorization server: `https://auth.example/realms/shop`. */
  readonly issuer: string;
  /**
   * The audience of the tokens, for an authorization server that cannot use the URL of the resource as audience.
   * @default the public URL of the gateway, or the URL of MCP below it
   */
  readonly audience?: string | undefined;
  /** The scope for listing actions and calling read-only actions. @default 'forms:read' */
  readonly readScope?: string | undefined;
  /** The scope for calling all actions. @default 'forms:submit' */
  readonly submitScope?: string | undefined;
  /** The minimum time between two requests for the keys of the issuer, in milliseconds. @default 30000 */
  readonly keyCooldown?: number | undefined;
  /** The time limit for a response of the issuer, in milliseconds. @default 5000 */
  readonly responseTimeout?: number | undefined;
}

export interface OAuthSettings {
  readonly issuer: string;
  /** The resource identifiers of Webtools and of MCP. https://www.rfc-editor.org/rfc/rfc9728#section-1.2 */
  readonly resources: { readonly webtools: URL; readonly mcp: URL };
  readonly audiences: readonly string[];
  readonly audience: string | undefined;
  readonly readScope: string;
  readonly submitScope: string;
  readonly keyCooldown: number;
  readonly responseTimeout: number;
}

/**
 * @param publicUrl - the URL at which clients reach the gateway. MCP is at `mcp` below it
 * @throws {GatewayError} `config-error`
 */
function resolveOAuth(options: OAuthOptions, publicUrl = ''): OAuthSettings {
  const { readScope = 'forms:read', submitScope = 'forms:submit', audience } = options;
  const { keyCooldown = 30_000, responseTimeout = 5000 } = options;
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
    responseTimeout,
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

/** A URL with and without the slash at the end, because clients and authorization servers differ. */
const spellings = ({ href }: URL): readonly string[] => [href, href.endsWith('/') ? href.slice(0, -1) : `${href}/`];

/** https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
function checkScope(scope: string): void {
  if (/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) return;
  throw invalid(
    `the scope ${preview(scope)} is empty, or contains characters other than printable ASCII without spaces`,
  );
}

const invalid = (reason: string): GatewayError =>
  new GatewayError('config-error', `The configuration of OAuth is invalid: ${reason}.`);
