import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Manifest, UsageError } from 'webmcp-forms/build';
import { type CliContext, readTextFile } from 'webmcp-forms/cli';
import type { LogLevel } from '../../node/log.js';
import type { OAuthOptions } from '../../node/access/oauth/oauth.js';
import type { RateLimit } from '../../node/access/rate-limit.js';
import { type Token, tokenProblem } from '../../node/access/tokens.js';
import { isStoreUrl, openStore, type OpenStore } from '../../node/stores.js';
import { createCapacity } from '../../concurrency/capacity.js';
import { resolveSettings, type GatewayOptions } from '../../settings.js';
import type { Storage } from '../../stores/store.js';
import { checkVersion } from '../../webtools/find-webtool.js';
import { checkConfig, readOperatorConfig, readServableManifest } from '../operator-config.js';
import { fileStamp } from './reload.js';
import { preview } from 'webmcp-forms/headless';

export interface ServeFlags {
  readonly baseUrl?: string;
  readonly config?: string;
  readonly clientSecrets?: true;
  readonly autosubmitOnly?: true;
  readonly readForms?: true;
  readonly continue?: readonly string[];
  readonly confirm?: GatewayOptions['confirm'];
  readonly allowPrivate?: true;
  readonly origin?: readonly string[];
  readonly sessions?: string;
  readonly sessionSeconds: number;
  readonly sessionMaxSeconds?: number;
  readonly store?: string;
  readonly mcp?: true;
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly cors?: readonly string[];
  readonly tokenFile?: string;
  readonly oauthIssuer?: string;
  readonly oauthAudience?: string;
  readonly oauthReadScope?: string;
  readonly oauthSubmitScope?: string;
  readonly allowAnonymous?: true;
  readonly rateLimit?: RateLimit;
  readonly quota?: RateLimit;
  readonly maxCalls?: number;
  readonly maxClientCalls?: number;
  readonly clientAddressHeader?: string;
  readonly publicUrl?: string;
  readonly logLevel: LogLevel;
}

export interface Setup {
  readonly manifest: Manifest;
  readonly stamp: string;
  readonly options: GatewayOptions;
  readonly tokens: readonly Token[];
  readonly oauth: OAuthOptions | undefined;
  readonly sessions: string;
  readonly sessionStorage: Storage;
  readonly warnings: readonly string[];
  readonly releases: string | undefined;
  readonly read: () => Promise<Manifest>;
  readonly close: () => Promise<void>;
}

/**
 * Reads the files and opens the stores of `webmcp-gateway serve`. Files are checked before a store is opened.
 *
 * @throws {UsageError}
 * @throws {GatewayError} `config-error`, `store-unavailable`
 */
export async function openSetup(file: string, flags: ServeFlags, { cwd, env = {} }: CliContext): Promise<Setup> {
  const tokens = await readTokens(env.WEBMCP_FORMS_TOKEN, flags.tokenFile, cwd);
  const oauth = oauthOf(flags);
  const options = await readOptions(flags, env, cwd);
  const sessions = toLocation(flags.sessions ?? env.WEBMCP_FORMS_SESSIONS ?? 'memory', cwd);
  const releases = findReleases(flags.store ?? env.WEBMCP_FORMS_STORE, cwd);
  const readChecked = async (): Promise<Manifest> => {
    const manifest = await readServableManifest(file, cwd);
    checkConfig(options.config ?? {}, manifest, flags.config ?? '');
    return manifest;
  };
  const stamp = await fileStamp(resolve(cwd, file));
  const manifest = await readChecked();
  const [sessionStore, releaseStore] = await openStores(sessions, releases);
  const versions = releaseStore && { versions: releaseStore.storage };
  const close = async (): Promise<void> => {
    await Promise.all([sessionStore.close(), releaseStore?.close()]);
  };
  const checkReleased = async (each: Manifest): Promise<Manifest> => {
    await checkVersion(each, { ...options, ...versions });
    return each;
  };
  await checkReleased(manifest).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    manifest,
    stamp,
    options: { ...options, sessions: sessionStore.storage, ...versions },
    tokens,
    oauth,
    sessions,
    sessionStorage: sessionStore.storage,
    warnings: sessionStore.warnings,
    releases,
    read: async () => await checkReleased(await readChecked()),
    close,
  };
}

async function readOptions(
  flags: ServeFlags,
  { WEBMCP_FORMS_BASE_URL, WEBMCP_FORMS_SESSION_KEY: sessionKey }: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<GatewayOptions> {
  const { baseUrl = WEBMCP_FORMS_BASE_URL, config, clientSecrets, autosubmitOnly, readForms, confirm, cors } = flags;
  const { sessionSeconds, sessionMaxSeconds } = flags;
  if (baseUrl === undefined) throw new UsageError('--base-url is missing. Set it to the URL of the site.');
  const options: GatewayOptions = {
    baseUrl,
    clientSecrets,
    autosubmitOnly,
    readForms,
    confirm,
    cors,
    sessionSeconds,
    sessionMaxSeconds,
    config: config === undefined ? {} : await readOperatorConfig(config, cwd),
    continuePaths: flags.continue,
    allowPrivateAddresses: flags.allowPrivate,
    origins: flags.origin,
    sessionKeys: sessionKey?.split(/[\s,]+/).filter(Boolean),
    capacity: createCapacity({ calls: flags.maxCalls, clientCalls: flags.maxClientCalls }),
  };
  resolveSettings(options);
  return options;
}

/**
 * The options of the authorization server; undefined without `--oauth-issuer`.
 *
 * @throws {UsageError} if another OAuth option is set without `--oauth-issuer`, or the issuer without `--public-url`
 */
function oauthOf(flags: ServeFlags): OAuthOptions | undefined {
  const { oauthIssuer: issuer, publicUrl, oauthAudience, oauthReadScope, oauthSubmitScope } = flags;
  const isUsed = [oauthAudience, oauthReadScope, oauthSubmitScope].some((value) => value !== undefined);
  if (issuer === undefined && isUsed) {
    const options = '--oauth-audience, --oauth-read-scope and --oauth-submit-scope';
    throw new UsageError(`--oauth-issuer is missing, and ${options} require it. Set it to the issuer of the tokens.`);
  }
  if (issuer === undefined) return undefined;
  if (publicUrl === undefined) {
    throw new UsageError('--public-url is missing. Set it to the URL at which clients reach the gateway.');
  }
  return { issuer, audience: oauthAudience, readScope: oauthReadScope, submitScope: oauthSubmitScope };
}

const toLocation = (location: string, cwd: string): string =>
  location === 'memory' || isStoreUrl(location) ? location : resolve(cwd, location);

const defaultStore = '.webmcp';

function findReleases(store: string | undefined, cwd: string): string | undefined {
  const location = toLocation(store ?? defaultStore, cwd);
  const isFolder = location === resolve(cwd, store ?? defaultStore);
  if (!isFolder || existsSync(resolve(location, 'releases'))) return location;
  if (store === undefined) return undefined;
  throw new UsageError(`--store ${store} has no releases. Use the folder that webmcp-gateway release wrote to.`);
}

async function openStores(sessions: string, releases: string | undefined): Promise<[OpenStore, OpenStore?]> {
  const sessionStore = await openStore(sessions, 'sessions');
  if (releases === undefined) return [sessionStore];
  try {
    return [sessionStore, await openStore(releases, 'releases', { isReadOnly: true })];
  } catch (error) {
    await sessionStore.close();
    throw error;
  }
}

/**
 * Reads the tokens of the environment and of `--token-file`. Error messages do not contain them.
 *
 * @throws {UsageError} also for an empty token: ignoring it would allow all callers
 */
async function readTokens(token: string | undefined, file: string | undefined, cwd: string): Promise<readonly Token[]> {
  const problem = token === undefined ? undefined : tokenProblem(token);
  if (problem !== undefined) throw new UsageError(`WEBMCP_FORMS_TOKEN ${problem}`);
  const own = token === undefined ? [] : [{ token }];
  return file === undefined ? own : [...own, ...parseTokens(await readTextFile(resolve(cwd, file), file), file)];
}

function parseTokens(text: string, file: string): readonly Token[] {
  const tokens = text
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), place: `${file}, line ${index + 1}` }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, place }) => parseLine(line, place));
  if (tokens.length === 0) throw new UsageError(`${file} has no tokens. Add lines with NAME:TOKEN.`);
  const names = tokens.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined)
    throw new UsageError(`${file} repeats the name ${preview(repeated)}. Use one name per client.`);
  return tokens;
}

function parseLine(line: string, place: string): Token & { readonly name: string } {
  const [, name = '', token = ''] = /^([\w.-]{1,64}):(.*)$/.exec(line) ?? [];
  if (name === '') throw new UsageError(`${place} is not NAME:TOKEN. Use letters, digits and -._ in names.`);
  const problem = tokenProblem(token);
  if (problem !== undefined) throw new UsageError(`${place}: the token of ${preview(name)} ${problem}`);
  return { name, token };
}
