import { preview } from 'webmcp-forms/headless';
import { isPrivateHost } from './upstream/addresses.js';
import { GatewayError } from './gateway-error.js';
import { sessionsIn, type Sessions } from './stores/sessions.js';
import { memoryStorage, type Storage } from './stores/store.js';
import type { GatewayManifest } from './tool.js';
import type { Fetch, Limits } from './upstream/upstream.js';
import type { Webtool } from './webtools/webtool.js';

/** What the operator of a gateway gives to the tools. No model and no client ever sees it. */
export interface OperatorConfig {
  /** Headers of every request to the site's own origin, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of hidden and sensitive controls by action and name; a list for several controls of a name. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** What happened, for a log: it never has a value of an input, a configuration or a cookie. */
export interface GatewayEvent {
  readonly type: 'call';
  readonly interface: 'webtools' | 'mcp';
  /** Absent where no action of the webtool was named. */
  readonly action?: string;
  /** `ok`, or why it failed. */
  readonly code: string;
  /** Of HTTP; for MCP that of the site's answer, or 0. */
  readonly status: number;
  readonly milliseconds: number;
  /** The `X-Request-Id` of the HTTP request, where it has one. */
  readonly requestId?: string;
  /** What nobody expected. */
  readonly error?: unknown;
}

export interface GatewayOptions {
  /**
   * The absolute URL of the folder to which the paths of the manifest's pages are relative. Credentials in it are sent
   * as HTTP's basic authentication.
   */
  readonly baseUrl: string;
  readonly config?: OperatorConfig;
  /**
   * Whether tools are offered that need a secret of the client, which gives it in the `config` of each call.
   * @default false
   */
  readonly clientSecrets?: boolean;
  /**
   * Whether forms without `toolautosubmit`, which a person was meant to submit, are left out.
   * @default false
   */
  readonly autosubmitOnly?: boolean;
  /**
   * Where sessions are kept.
   * @default the memory of this process: 10,000 sessions, 256 MB
   */
  readonly sessions?: Storage;
  /**
   * How many seconds a session is kept after its last call.
   * @default 86400
   */
  readonly sessionSeconds?: number;
  /** Where released versions are. */
  readonly versions?: Storage;
  /**
   * How requests are sent. On Node give that of `createNodeFetch`, which connects to public addresses alone.
   * @default the platform's fetch
   */
  readonly fetch?: Fetch;
  readonly limits?: Partial<Limits>;
  /**
   * Origins, beside the site's own, that forms may be sent and redirected to.
   * @default []
   */
  readonly origins?: readonly string[];
  /**
   * Whether private and loopback addresses may be reached.
   * @default false
   */
  readonly allowPrivateAddresses?: boolean;
  /**
   * The origins of pages whose scripts may call the gateway, or `*`.
   * @default []
   */
  readonly cors?: readonly string[];
  /**
   * How many bytes a request has at most.
   * @default 8000000
   */
  readonly maxRequestBytes?: number;
  /** Hears of every call. It must not throw. */
  readonly onEvent?: (event: GatewayEvent) => void;
}

/** The options as they are used. */
export interface Settings extends Readonly<
  Required<Pick<GatewayOptions, 'clientSecrets' | 'autosubmitOnly' | 'allowPrivateAddresses' | 'maxRequestBytes'>>
> {
  readonly baseUrl: URL;
  readonly config: OperatorConfig;
  readonly sessions: Sessions;
  readonly versions: Storage | undefined;
  readonly fetch: Fetch | undefined;
  readonly limits: Partial<Limits>;
  readonly origins: readonly string[];
  readonly cors: readonly string[];
  readonly onEvent: (event: GatewayEvent) => void;
  /** What was made of each manifest. */
  readonly webtools: WeakMap<GatewayManifest, Promise<Webtool>>;
}

/**
 * Checks the options.
 *
 * @throws {GatewayError} `config-error`
 */
export function settingsOf(options: GatewayOptions): Settings {
  const { sessions = memoryStorage(), sessionSeconds = 86_400, origins = [], cors = [] } = options;
  return {
    baseUrl: baseOf(options),
    config: options.config ?? {},
    clientSecrets: options.clientSecrets ?? false,
    autosubmitOnly: options.autosubmitOnly ?? false,
    allowPrivateAddresses: options.allowPrivateAddresses ?? false,
    maxRequestBytes: options.maxRequestBytes ?? 8_000_000,
    sessions: sessionsIn(sessions, sessionSeconds),
    versions: options.versions,
    fetch: options.fetch,
    limits: options.limits ?? {},
    origins: origins.map(originOf),
    cors: cors.map((origin) => (origin === '*' ? origin : originOf(origin))),
    onEvent: options.onEvent ?? (() => undefined),
    webtools: new WeakMap(),
  };
}

function baseOf({ baseUrl: url, allowPrivateAddresses = false }: GatewayOptions): URL {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw wrong('the base URL is no absolute URL of http or https');
  }
  const base = new URL(url);
  if (base.search !== '') throw wrong('the base URL has a query');
  if (!allowPrivateAddresses && isPrivateHost(base.hostname)) {
    throw wrong(
      'the base URL is at a private or loopback address: allow these (allowPrivateAddresses, --allow-private)',
    );
  }
  const isFile = /\.[^/]*$/.test(base.pathname);
  if (!isFile && !base.pathname.endsWith('/')) base.pathname += '/';
  base.hash = '';
  return base;
}

function originOf(origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url && url.username + url.password !== '') throw wrong('an origin has credentials');
  if (url && url.origin !== 'null') return url.origin;
  throw wrong(`the origin ${preview(origin)} is no URL such as https://shop.example`);
}

const wrong = (reason: string): GatewayError =>
  new GatewayError('config-error', `The gateway is configured wrongly: ${reason}.`);
