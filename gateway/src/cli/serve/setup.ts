import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Manifest, UsageError, readManifest } from 'webmcp-forms/build';
import type { Surroundings } from 'webmcp-forms/cli';
import { openStore, type OpenStore } from '../../node/stores.js';
import { checkVersion } from '../../webtools/served-webtools.js';
import { settingsOf, type GatewayOptions, type OperatorConfig } from '../../settings.js';
import type { Storage } from '../../stores/store.js';
import type { ServeFlags } from './flags.js';
import { checkConfig, readOperatorConfig } from '../operator-config.js';
import { stampOf } from './reload.js';

/** What a gateway is made of. */
export interface Setup {
  readonly manifest: Manifest;
  /** What its file was known by when it was read. */
  readonly stamp: string;
  readonly options: GatewayOptions;
  readonly token: string | undefined;
  /** Where sessions are. */
  readonly sessions: string;
  readonly sessionStorage: Storage;
  /** Where releases are. */
  readonly store: string | undefined;
  /** The manifest as its file has it now. */
  readonly read: () => Promise<Manifest>;
  readonly close: () => Promise<void>;
}

/**
 * Reads and opens what `webmcp-gateway serve` needs.
 *
 * @throws {UsageError}
 * @throws {GatewayError} `config-error`, `store-unavailable`
 */
export async function setUp(file: string, flags: ServeFlags, { cwd, env = {} }: Surroundings): Promise<Setup> {
  const token = tokenIn(env);
  const baseUrl = flags.baseUrl ?? env.WEBMCP_FORMS_BASE_URL;
  if (baseUrl === undefined) throw new UsageError('--base-url is missing: say where the site is');
  const config = flags.config === undefined ? {} : await readOperatorConfig(flags.config, cwd);
  const options = optionsOf(flags, baseUrl, config);
  settingsOf(options);
  const sessions = locationIn(flags.sessions ?? env.WEBMCP_FORMS_SESSIONS ?? 'memory', cwd);
  const releases = releasesIn(flags.store ?? env.WEBMCP_FORMS_STORE, cwd);
  const read = async (): Promise<Manifest> => {
    const manifest = await readManifest(file, cwd);
    checkConfig(config, manifest, flags.config ?? '');
    return manifest;
  };
  const stamp = await stampOf(resolve(cwd, file));
  const manifest = await read(); // what is wrong with files is told before a store is asked
  const [kept, versions] = await openStores(sessions, releases);
  const close = async (): Promise<void> => {
    await Promise.all([kept.close(), versions?.close()]);
  };
  const checked = async (each: Manifest): Promise<Manifest> => {
    await checkVersion(each, { ...options, ...(versions && { versions: versions.storage }) });
    return each;
  };
  await checked(manifest).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const storages = { sessions: kept.storage, ...(versions && { versions: versions.storage }) };
  return {
    ...{ manifest, stamp, token, sessions, sessionStorage: kept.storage, store: releases },
    options: { ...options, ...storages },
    read: async () => await checked(await read()),
    close,
  };
}

const optionsOf = (flags: ServeFlags, baseUrl: string, config: OperatorConfig): GatewayOptions => ({
  baseUrl,
  config,
  clientSecrets: flags.clientSecrets ?? false,
  autosubmitOnly: flags.autosubmitOnly ?? false,
  allowPrivateAddresses: flags.allowPrivate ?? false,
  origins: flags.origin ?? [],
  cors: flags.cors ?? [],
  sessionSeconds: flags.sessionSeconds,
});

/** A token that is empty by mistake would let everybody in. */
function tokenIn({ WEBMCP_FORMS_TOKEN: token }: NonNullable<Surroundings['env']>): string | undefined {
  if (token === undefined || /^[\w.~+/-]+=*$/.test(token)) return token;
  throw new UsageError(
    `WEBMCP_FORMS_TOKEN is ${token === '' ? 'empty' : 'no token'}: ` +
      'give it letters, digits and -._~+/ only, or unset it to let everybody call',
  );
}

export const isRedis = (location: string): boolean => /^rediss?:/i.test(location);

const locationIn = (location: string, cwd: string): string =>
  location === 'memory' || /^(?:rediss?:|\w[\w+.-]+:\/\/)/i.test(location) ? location : resolve(cwd, location);

/** Where `webmcp-gateway release` keeps releases unless it is told otherwise. */
const usualStore = '.webmcp';

function releasesIn(store: string | undefined, cwd: string): string | undefined {
  if (store !== undefined) {
    const location = locationIn(store, cwd);
    if (location !== resolve(cwd, store) || existsSync(resolve(location, 'releases'))) return location;
    throw new UsageError(
      `--store ${store} has no releases: name the folder that webmcp-gateway release has written to`,
    );
  }
  return existsSync(resolve(cwd, usualStore, 'releases')) ? resolve(cwd, usualStore) : undefined;
}

async function openStores(sessions: string, releases: string | undefined): Promise<[OpenStore, OpenStore?]> {
  const kept = await openStore(sessions, 'sessions');
  if (releases === undefined) return [kept];
  try {
    return [kept, await openStore(releases, 'releases', { isReadOnly: true })];
  } catch (error) {
    await kept.close();
    throw error;
  }
}
