import { type Fetch, globExcess, inlineReader, isLoopback, isPrivateHost, preview, urlOf } from 'webmcp-forms/headless';
import { createCapacity, type Capacity } from './concurrency/capacity.js';
import { GatewayError } from './gateway-error.js';
import { createSessionKeys, type SessionKeys } from './stores/session-keys.js';
import { createSessions, defaultMaxSeconds, defaultMaxSessions, type Sessions } from './stores/sessions.js';
import { memoryStorage, type Storage } from './stores/store.js';
import type { SiteOptions } from './submit-form.js';

/** The operator's configuration. It is hidden from models and clients. */
export interface OperatorConfig {
  /** Headers of every request to the site's own origin, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of hidden and sensitive controls by action and name; an array for several controls of a name. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** Names of hidden controls and URL parameters by action. The site renews their values, so they are not compared. */
  readonly fresh?: Readonly<Record<string, readonly string[]>>;
}

/** The kind of a request: `read` lists actions and calls read-only actions, `submit` calls other actions. */
export type Access = 'read' | 'submit';

/** The reason why a request is refused. */
export interface AccessRefusal {
  readonly message: string;
  /** The `WWW-Authenticate` header. */
  readonly challenge: string;
}

/** An event for a log. It contains no values of inputs, configurations or cookies. */
export interface GatewayEvent {
  /** `refusal`: a request that was refused before a call, such as an unknown path. */
  readonly type: 'call' | 'refusal';
  readonly interface: 'webtools' | 'mcp';
  /** The client that limits apply to, if it is known. */
  readonly client?: string;
  /** Absent unless the request names an existing action. */
  readonly action?: string;
  /** `ok`, or the error code. */
  readonly code: string;
  /** The HTTP status; for MCP the status of the site's response, or 0. */
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId?: string;
  /** The last URL that a failed call requested. The query of a submission is omitted, because it can contain the input. */
  readonly url?: string;
  /** The error behind an unexpected failure. */
  readonly error?: unknown;
}

export interface GatewayOptions extends SiteOptions {
  /**
   * The absolute URL that the paths of the manifest's pages are relative to. Its credentials are sent as HTTP basic
   * authentication.
   */
  readonly baseUrl: string;
  readonly config?: OperatorConfig | undefined;
  /** Whether to serve tools that require a secret of the client, sent in the `config` of each call. @default false */
  readonly clientSecrets?: boolean | undefined;
  /** Whether to exclude forms without `toolautosubmit`, which a person is expected to submit. @default false */
  readonly autosubmitOnly?: boolean | undefined;
  /** Whether to serve a companion `read_NAME` of each tool, which returns the current values of its form. @default false */
  readonly readForms?: boolean | undefined;
  /**
   * Globs of paths whose forms a session may submit although the manifest lacks them, such as `/imports/**`. The page that
   * answers a call and the destination of the form must match. @default []
   */
  readonly continuePaths?: readonly string[] | undefined;
  /**
   * Over MCP, whether a person confirms each submission of a form without `toolautosubmit`. `if-possible` asks through
   * clients that support elicitation, `always` also refuses calls of other clients, and `never` does not ask.
   * @default 'if-possible'
   */
  readonly confirm?: 'if-possible' | 'always' | 'never' | undefined;
  /** The store of sessions. @default the memory of this process: 50,000 sessions, 256 MB */
  readonly sessions?: Storage | undefined;
  /** The lifetime of a session after its last call, in seconds. @default 86400 */
  readonly sessionSeconds?: number | undefined;
  /** The lifetime of a session after its first call, in seconds, however often it is used. @default 2592000, 30 days */
  readonly sessionMaxSeconds?: number | undefined;
  /**
   * Random secrets of at least 32 bytes, which encrypt sessions and sign the session IDs of MCP. The first secret encrypts,
   * and all secrets decrypt. With `plain` as the last secret, sessions that are not encrypted are also read.
   * @default sessions are not encrypted
   */
  readonly sessionKeys?: readonly string[] | undefined;
  /** The maximum number of stored sessions of a client. All clients together may have five times as many. @default 10000 */
  readonly maxSessions?: number | undefined;
  readonly versions?: Storage | undefined;
  /** The origins of pages whose scripts may call the gateway, or `*`. @default [] */
  readonly cors?: readonly string[] | undefined;
  /** The maximum size of a request in bytes. @default 8000000 */
  readonly maxRequestBytes?: number | undefined;
  /**
   * Identifies the client of a request, such as by a digest of its token. Clients cannot use each other's sessions.
   * @default all requests belong to one client
   */
  readonly client?: ((request: Request) => string | undefined) | undefined;
  /**
   * Decides whether the client of a request may read or submit. A refusal is the error `INSUFFICIENT_SCOPE`.
   * @default all clients may submit
   */
  readonly authorize?: ((request: Request, access: Access) => AccessRefusal | undefined) | undefined;
  /**
   * The client that the limits of `capacity` and of streams apply to, such as a network address.
   * @default `client`
   */
  readonly rateLimitKey?: ((request: Request) => string | undefined) | undefined;
  /** The limits of calls and request bodies. Pass the same object to all handlers of a gateway. @default createCapacity() */
  readonly capacity?: Capacity | undefined;
  /**
   * Whether a host name belongs to the gateway, so that its own pages may call. A function that accepts every name would
   * allow pages of any site whose name resolves to the gateway.
   * @default loopback names and addresses
   */
  readonly isOwnHost?: ((hostname: string) => boolean) | undefined;
  /** Called for every call and for every other request that is refused. It must not throw. */
  readonly onEvent?: ((event: GatewayEvent) => void) | undefined;
}

type Resolved =
  | 'baseUrl'
  | 'sessions'
  | 'sessionSeconds'
  | 'sessionMaxSeconds'
  | 'sessionKeys'
  | 'maxSessions'
  | 'versions'
  | 'fetch'
  | 'authorize';

type Defaulted = Exclude<keyof GatewayOptions, Resolved>;

/** The checked options with their defaults. */
export interface Settings extends Readonly<{ [Name in Defaulted]: NonNullable<GatewayOptions[Name]> }> {
  readonly baseUrl: URL;
  readonly sessions: Sessions;
  readonly sessionKeys: SessionKeys | undefined;
  readonly versions: Storage | undefined;
  readonly fetch: Fetch | undefined;
  readonly authorize: GatewayOptions['authorize'];
}

/** @throws {GatewayError} `config-error` */
export function resolveSettings(options: GatewayOptions): Settings {
  const { origins = [], cors = [] } = options;
  const sessionKeys = options.sessionKeys && createSessionKeys(options.sessionKeys);
  return {
    baseUrl: parseBaseUrl(options),
    config: options.config ?? {},
    clientSecrets: options.clientSecrets ?? false,
    autosubmitOnly: options.autosubmitOnly ?? false,
    readForms: options.readForms ?? false,
    continuePaths: (options.continuePaths ?? []).map(checkGlob),
    confirm: options.confirm ?? 'if-possible',
    allowPrivateAddresses: options.allowPrivateAddresses ?? false,
    maxRequestBytes: options.maxRequestBytes ?? 8_000_000,
    sessions: openSessions(options, sessionKeys),
    sessionKeys,
    versions: options.versions,
    fetch: options.fetch,
    limits: options.limits ?? {},
    pageReader: options.pageReader ?? inlineReader,
    origins: origins.map(parseOrigin),
    cors: cors.map((origin) => (origin === '*' ? origin : parseOrigin(origin))),
    client: options.client ?? (() => undefined),
    authorize: options.authorize,
    rateLimitKey: options.rateLimitKey ?? options.client ?? (() => undefined),
    capacity: options.capacity ?? createCapacity(),
    isOwnHost: options.isOwnHost ?? isLoopback,
    onEvent: options.onEvent ?? (() => undefined),
  };
}

function checkGlob(glob: string): string {
  const excess = globExcess(glob);
  if (excess !== undefined) throw invalid(`a path to continue at has ${excess}. Use several`);
  if (!glob.startsWith('/')) throw invalid(`the path to continue at ${preview(glob)} does not begin with /`);
  return glob;
}

function openSessions(options: GatewayOptions, keys: SessionKeys | undefined): Sessions {
  const { sessions = memoryStorage(), sessionSeconds = 86_400 } = options;
  const { sessionMaxSeconds: maxSeconds = defaultMaxSeconds, maxSessions = defaultMaxSessions } = options;
  return createSessions(sessions, sessionSeconds, { maxSeconds, maxSessions, keys });
}

function parseBaseUrl({ baseUrl, allowPrivateAddresses = false }: GatewayOptions): URL {
  const url = urlOf(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid('the base URL is not an absolute URL with http or https');
  if (url.search !== '') throw invalid('the base URL has a query. Remove it');
  if (!allowPrivateAddresses && isPrivateHost(url.hostname)) {
    const advice = 'Allow private addresses with allowPrivateAddresses or --allow-private';
    throw invalid(`the base URL has a private or loopback address. ${advice}`);
  }
  const isFile = /\.[^/]*$/.test(url.pathname);
  if (!isFile && !url.pathname.endsWith('/')) url.pathname += '/';
  url.hash = '';
  return url;
}

function parseOrigin(origin: string): string {
  const url = urlOf(origin);
  if (url && url.username + url.password !== '') throw invalid('an origin has credentials');
  if (url && url.origin !== 'null') return url.origin;
  throw invalid(`the origin ${preview(origin)} is not a URL such as https://shop.example`);
}

/** @throws {GatewayError} `config-error` */
export function parsePublicUrl(text: string): URL {
  const url = urlOf(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid('the public URL is not an absolute URL with http or https');
  if (url.username + url.password + url.search !== '') throw invalid('the public URL has credentials or a query');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw invalid('the public URL has no TLS, so that others could read the passwords that people type. Use https');
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

const invalid = (reason: string): GatewayError =>
  new GatewayError('config-error', `The configuration of the gateway is invalid: ${reason}.`);
