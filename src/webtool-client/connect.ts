import { isRecord, type JsonRecord } from '../json.js';
import { mapTexts, visibleText } from '../visible-text.js';
import { createCall, type Call, type CallSettings } from './calls.js';
import { exchange, type Connection, type WebtoolFetch } from './exchange.js';
import { canHash, webtoolHash } from './hash.js';
import { quote, readMetadata, type Metadata, type WebtoolAction } from './metadata.js';
import { checkNames, nativeModelContext, registerActions, type ActionContext } from './register.js';
import { checkTrust, isInsecure, type TrustStore } from './trust.js';
import { WebtoolError } from './webtool-error.js';

export interface ConnectOptions extends CallSettings {
  /** The version to use, which is appended to the URL as a path segment. @default the latest */
  readonly version?: string;
  /** The hash of the reviewed actions. Connections and calls fail if the webtool has another hash. */
  readonly hash?: string;
  /**
   * Stores the hash of a webtool's actions on first use, if `hash` is not set. Later changes are reported to `onWarning`. Pass
   * a Web Storage such as `localStorage`, or a storage of unstorage.
   * @default changes are not detected
   */
  readonly trust?: TrustStore;
  /** Whether connecting fails if the actions differ from the actions that `trust` has stored. @default false */
  readonly refuseChanges?: boolean;
  /** Aborts connecting, and later unregisters the tools. Running calls continue. */
  readonly signal?: AbortSignal;
  /**
   * The model context in which the actions are registered as tools; null to register no tools.
   * @default the document's model context, if it exists
   */
  readonly modelContext?: ActionContext | null;
  /** @default the platform's fetch */
  readonly fetch?: WebtoolFetch;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ConnectedWebtool {
  readonly name: string;
  readonly description: string;
  /** The checked version, which every call requests; empty for an older webtool without versions. */
  readonly version: string;
  /** The origin of the webtool's URL. */
  readonly origin: string;
  /** The hash of the actions; undefined without `crypto.subtle`, as in insecure contexts. */
  readonly hash: string | undefined;
  readonly actions: readonly WebtoolAction[];
  readonly call: Call;
}

/**
 * Fetches and checks the metadata of a webtool, and registers its actions with the page's model context, if it exists. Each
 * call requests the checked version, so that the actions match the descriptions for the model.
 *
 * @param url - the webtool's URL, with or without a trailing slash, relative to the document's base URL. Every request
 * includes its query.
 * @throws {WebtoolError} for any failure
 * @example
 * const shop = await connectWebtool('https://tools.example/shop', { version: '1.2.0', hash: 'sha256-...' });
 * const { text } = await shop.call('search', { q: 'tea' });
 */
export async function connectWebtool(url: string | URL, options: ConnectOptions = {}): Promise<ConnectedWebtool> {
  const connection = openConnection(url, options);
  const metadata = await fetchMetadata(connection, options);
  const { name, version, hash: declared } = metadata;
  const hash = await checkHash(connection, metadata, options.hash);
  await checkChange(connection, { hash, version }, options);
  const visible = metadata.actions.map(visibleAction);
  const restorers = new Map(visible.map(({ action, restore }) => [action.name, restore]));
  const call = createCall(
    connection,
    {
      metadata,
      // A webtool that declares no hash may refuse the member as unknown.
      hash: declared === undefined ? undefined : hash,
      restore: (action, request) => restorers.get(action)?.(request) ?? request,
    },
    options,
  );
  const webtool: ConnectedWebtool = {
    name,
    description: visibleText(metadata.description),
    version,
    origin: connection.url.origin,
    hash,
    actions: visible.map(({ action }) => action),
    call,
  };
  const { modelContext = nativeModelContext() } = options;
  if (modelContext) {
    checkNames(name, webtool.actions);
    await registerActions(modelContext, { webtool, isPinned: options.hash !== undefined }, options.signal);
  }
  return webtool;
}

async function checkChange(
  connection: Connection,
  seen: { readonly hash: string | undefined; readonly version: string },
  { hash: pinned, trust, refuseChanges = false, version, onWarning }: ConnectOptions,
): Promise<void> {
  if (refuseChanges && !trust && pinned === undefined)
    throw new TypeError('refuseChanges has no effect without trust. Set trust to a store.');
  if (trust && pinned === undefined) await checkTrust(connection, seen, { trust, refuseChanges, version, onWarning });
}

function openConnection(webtool: string | URL, options: ConnectOptions): Connection {
  const { headers = {}, fetch = platformFetch } = options;
  const { document } = globalThis as { document?: { readonly baseURI: string } };
  const base = document?.baseURI;
  const url = URL.canParse(String(webtool), base) ? new URL(webtool, base) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('The URL of the webtool is invalid. Use an absolute URL with http or https.');
  }
  if (url.username + url.password !== '') {
    throw new TypeError('The URL of the webtool has credentials. Send them in an authorization header instead.');
  }
  url.hash = '';
  const displayUrl = url.origin + url.pathname;
  if (isInsecure(url)) checkNoSecrets(displayUrl, options);
  return { url, fetch, headers: toHeaders(headers), displayUrl };
}

/** Rejects secrets over plain HTTP, because others on the network could read them. */
function checkNoSecrets(displayUrl: string, { config, headers = {}, sessionId }: ConnectOptions): void {
  const given = { config, headers: Object.keys(headers).length > 0 || undefined, sessionId };
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length === 0) return;
  const message = `The webtool at ${displayUrl} is not served over HTTPS, so ${names.join(', ')} cannot be sent to it without being exposed. Use an https URL, or a URL of this machine.`;
  throw new WebtoolError('NOT_SECURE', message);
}

const platformFetch: WebtoolFetch = (url, init) => fetch(url, init);

/** Creates headers. Unlike the platform's error, the error for an invalid header does not quote the value. */
function toHeaders(fields: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries({ ...fields, accept: 'application/json' })) {
    try {
      headers.set(name, value);
    } catch {
      throw new TypeError(`The header ${quote(name)} is invalid.`);
    }
  }
  return headers;
}

async function fetchMetadata(connection: Connection, { version, signal }: ConnectOptions): Promise<Metadata> {
  const url = new URL(connection.url);
  if (version !== undefined) url.pathname = url.pathname.replace(/\/?$/, `/${encodeURIComponent(version)}`);
  const init = { headers: connection.headers, signal: signal ?? null };
  const metadata = readMetadata(await exchange(connection, url, init), connection.displayUrl);
  if (version === undefined || metadata.version === version) return metadata;
  const message = `The webtool at ${connection.displayUrl} returned version ${quote(metadata.version)} instead of ${quote(version)}.`;
  throw new WebtoolError('WRONG_VERSION', message);
}

async function checkHash(
  { displayUrl }: Connection,
  { name, description, source, hash: declared, version }: Metadata,
  pinned: string | undefined,
): Promise<string | undefined> {
  const hash = canHash() ? await webtoolHash({ name, description, actions: source }) : undefined;
  if (hash === undefined && pinned !== undefined) {
    const message = `The hash of the webtool at ${displayUrl} cannot be checked without crypto.subtle. Serve the page over HTTPS, or from localhost.`;
    throw new WebtoolError('NOT_SECURE', message);
  }
  if (hash === undefined) return undefined;
  if (pinned !== undefined && pinned !== hash) {
    const change = `The actions of the webtool at ${displayUrl}, version ${quote(version)}, changed since they were pinned`;
    const advice = 'Review them and pin the new hash, or request the version that you reviewed.';
    const message = `${change}: the hash was ${quote(pinned)} and is ${quote(hash)}. ${advice}`;
    throw new WebtoolError('WEBTOOL_CHANGED', message);
  }
  if (declared === undefined || declared === hash) return hash;
  const message = `The actions of the webtool at ${displayUrl} do not match their hash: the metadata has ${quote(declared)}, and the actions have ${quote(hash)}. Connect again, or report this to the webtool's operator.`;
  throw new WebtoolError('WRONG_HASH', message);
}

/**
 * Removes invisible characters from an action for the model. Also returns a function that restores the original strings in a
 * request.
 */
function visibleAction(action: WebtoolAction) {
  const { title, requestSchema, responseSchema } = action;
  const sent = new Map<string, string>();
  collectTexts(requestSchema, sent);
  const isUnchanged = [...sent].every(([visible, text]) => visible === text);
  const visible: WebtoolAction = {
    ...action,
    ...(title !== undefined && { title: visibleText(title) }),
    description: visibleText(action.description),
    requestSchema: mapTexts(requestSchema, visibleText) as JsonRecord,
    ...(responseSchema && { responseSchema: mapTexts(responseSchema, visibleText) as JsonRecord }),
  };
  const restore = (request: object): object => mapTexts(request, (text) => sent.get(text) ?? text) as object;
  return { action: visible, restore: isUnchanged ? (request: object): object => request : restore };
}

const withValues: ReadonlySet<string> = new Set(['enum', 'const', 'required']);

/** Collects the names and values that a request may contain, by visible text. Of strings with equal text, the first is used. */
function collectTexts(schema: unknown, sent: Map<string, string>, isValue = false): void {
  const add = (text: string): void => {
    if (!sent.has(visibleText(text))) sent.set(visibleText(text), text);
  };
  if (isValue && typeof schema === 'string') add(schema);
  if (Array.isArray(schema)) for (const each of schema) collectTexts(each, sent, isValue);
  if (!isRecord(schema)) return;
  for (const [name, each] of Object.entries(schema)) {
    add(name);
    collectTexts(each, sent, isValue || withValues.has(name));
  }
}
