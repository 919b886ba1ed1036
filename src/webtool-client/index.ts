import type { JsonRecord } from '../json.js';
import { callsOf, type Call, type Warning } from './calls.js';
import { exchange, type Connection, type WebtoolFetch } from './exchange.js';
import { quote, readMetadata, type Metadata, type WebtoolAction } from './metadata.js';
import { checkNames, ownModelContext, registerActions, type ActionContext } from './register.js';
import { WebtoolError } from './webtool-error.js';
import { canHash, hashOf } from './hash.js';

export type { Call, CallOptions, Warning } from './calls.js';
export type { ToolAnswer } from './tool-answer.js';
export type { WebtoolFetch } from './exchange.js';
export type { WebtoolAction } from './metadata.js';
export type { ActionContext, RegisteredAction } from './register.js';
export { WebtoolError, type WrongParameter } from './webtool-error.js';

export interface ConnectOptions {
  /** What every call carries and no model sees: credentials, values that the environment knows. */
  readonly config?: JsonRecord;
  /**
   * The version to use. It is looked for at the URL with the version as one more path segment.
   * @default the latest
   */
  readonly version?: string;
  /** The hash that the actions had when they were reviewed; with any other the connection fails. */
  readonly hash?: string;
  /** Ends the connecting, and later takes the tools back. Calls that run go on. */
  readonly signal?: AbortSignal;
  /**
   * What the webtool keeps state for, across calls. Nobody else should be able to guess it.
   * @default a new one for each connection
   */
  readonly sessionId?: string;
  /**
   * Where the actions are registered as tools; null for nowhere.
   * @default the document's model context, where there is one
   */
  readonly modelContext?: ActionContext | null;
  /** @default the platform's fetch */
  readonly fetch?: WebtoolFetch;
  /** Headers of every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Is told what a call that went well warns of. */
  readonly onWarning?: (warning: Warning) => void;
}

/** A webtool whose metadata was checked. */
export interface ConnectedWebtool {
  readonly name: string;
  readonly description: string;
  /** The one that was checked, and that every call asks for; empty for an older webtool that tells none. */
  readonly version: string;
  /** Of the actions; undefined where there is no `crypto.subtle`, as in pages that are not secure. */
  readonly hash: string | undefined;
  readonly actions: readonly WebtoolAction[];
  readonly call: Call;
}

/**
 * Reads what a webtool offers, checks it, and registers its actions with the page's model context, if there is one. Each
 * call asks for the version that was checked: a model never meets an action that it was told something else of.
 *
 * @param url - the webtool's, with or without a slash at its end; relative to the document, where there is one. Its query
 * goes with every request.
 * @throws {WebtoolError} whatever goes wrong
 * @example
 * const shop = await connectWebtool('https://tools.example/shop', { version: '1.2.0', hash: 'sha256-...' });
 * const { text } = await shop.call('search', { q: 'tea' });
 */
export async function connectWebtool(url: string | URL, options: ConnectOptions = {}): Promise<ConnectedWebtool> {
  const connection = connectionTo(url, options);
  const metadata = await fetchMetadata(connection, options);
  const hash = await checkedHash(connection, metadata, options.hash);
  const { name, description, version, actions } = metadata;
  const call = callsOf(connection, metadata, options);
  const { modelContext = ownModelContext() } = options;
  if (modelContext) {
    checkNames(name, actions);
    await registerActions(modelContext, { name, actions, call }, options.signal);
  }
  return { name, description, version, hash, actions, call };
}

function connectionTo(given: string | URL, { headers = {}, fetch = platformFetch }: ConnectOptions): Connection {
  const { document } = globalThis as { document?: { readonly baseURI: string } };
  const base = document?.baseURI;
  const url = URL.canParse(String(given), base) ? new URL(given, base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('The URL of the webtool is no absolute URL of http or https.');
  }
  if (url.username + url.password !== '') {
    throw new TypeError('The URL of the webtool has credentials in it: give them as an authorization header.');
  }
  url.hash = '';
  return { url, fetch, headers: headersOf(headers), place: url.origin + url.pathname };
}

const platformFetch: WebtoolFetch = (url, init) => fetch(url, init);

/** The platform's own error would quote the value. */
function headersOf(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries({ ...given, accept: 'application/json' })) {
    try {
      headers.set(name, value);
    } catch {
      throw new TypeError(`The header ${quote(name)} is not valid.`);
    }
  }
  return headers;
}

async function fetchMetadata(connection: Connection, { version, signal }: ConnectOptions): Promise<Metadata> {
  const url = new URL(connection.url);
  if (version !== undefined) url.pathname = url.pathname.replace(/\/?$/, `/${encodeURIComponent(version)}`);
  const init = { headers: connection.headers, signal: signal ?? null };
  const metadata = readMetadata(await exchange(connection, url, init), connection.place);
  if (version === undefined || metadata.version === version) return metadata;
  throw new WebtoolError(
    'WRONG_VERSION',
    `The webtool at ${connection.place} was asked for version ${quote(version)} and gave ${quote(metadata.version)}.`,
  );
}

async function checkedHash(
  { place }: Connection,
  { source, hash: told, version }: Metadata,
  pinned: string | undefined,
): Promise<string | undefined> {
  const hash = canHash() ? await hashOf(source) : undefined;
  if (hash === undefined && pinned !== undefined) {
    const way = 'Serve the page by HTTPS, or from localhost.';
    throw new WebtoolError('NOT_SECURE', `The webtool at ${place} cannot be checked here: no crypto.subtle. ${way}`);
  }
  if (hash === undefined) return undefined;
  if (pinned !== undefined && pinned !== hash) throw changed(place, version, pinned, hash);
  if (told === undefined || told === hash) return hash;
  const hashes = `it tells the hash ${quote(told)}, and they have ${quote(hash)}`;
  const way = 'Connect again, or tell those who run it.';
  throw new WebtoolError(
    'WRONG_HASH',
    `The actions of the webtool at ${place} changed on their way: ${hashes}. ${way}`,
  );
}

function changed(place: string, version: string, pinned: string, hash: string): WebtoolError {
  const what = `The actions of the webtool at ${place}, version ${quote(version)}, changed since they were pinned`;
  const way = 'Review them and pin the new hash, or ask for the version that you have reviewed.';
  return new WebtoolError('WEBTOOL_CHANGED', `${what}: the hash was ${quote(pinned)} and is ${quote(hash)}. ${way}`);
}
