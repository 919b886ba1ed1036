import { resolve } from 'node:path';
import { type Manifest, UsageError, readManifest } from 'webmcp-forms/build';
import { type Surroundings, oneLine, streamSink, tell } from 'webmcp-forms/cli';
import { GatewayError } from '../gateway-error.js';
import { openStore } from '../node/stores.js';
import { listReleases, writeRelease, type Release } from '../releases/releases.js';
import type { Offer } from '../webtools/actions.js';
import { settingsOf } from '../settings.js';
import { offered } from '../webtools/webtool.js';
import { checkConfig, readOperatorConfig } from './operator-config.js';
import type { Storage } from '../stores/store.js';
import { judge, newest, notes, refusal } from '../releases/compare-releases.js';
import { parseVersion } from '../releases/version.js';

/** The options of `webmcp-gateway release`. */
export interface ReleaseFlags {
  readonly store?: string;
  readonly check?: true;
  readonly list?: true;
  readonly baseUrl?: string;
  readonly origin?: readonly string[];
  readonly config?: string;
  readonly clientSecrets?: true;
  readonly autosubmitOnly?: true;
}

interface Run {
  readonly manifest: Manifest;
  /** What decides which actions it has. */
  readonly offer: Offer;
  readonly storage: Storage;
  /** The store as a person reads it. */
  readonly place: string;
  readonly stdout: (text: string) => Promise<void>;
  readonly stderr: (text: string) => Promise<void>;
}

/**
 * Releases a manifest, or tells what is released.
 *
 * @returns whether all is as it should be
 * @throws {UsageError} also for a store that does not answer
 */
export async function runRelease(file: string, flags: ReleaseFlags, surroundings: Surroundings): Promise<boolean> {
  const { cwd, stdout, stderr, env } = surroundings;
  const manifest = await readManifest(file, cwd);
  if (!flags.list) checkVersion(manifest.version, file);
  const offer = await offerOf(manifest, flags, cwd);
  const place = (flags.store ?? env?.WEBMCP_FORMS_STORE) || '.webmcp';
  const location = locationIn(place, cwd);
  try {
    const store = await openStore(location, 'releases', {
      isReadOnly: Boolean(flags.list ?? flags.check),
      isShared: true, // they are no secrets, and whoever copies them into a container is seldom who serves them there
    });
    const run: Run = {
      ...{ manifest, offer, storage: store.storage, place: shown(place) },
      stdout: (text) => streamSink(stdout)([text]),
      stderr: (text) => tell(stderr, text),
    };
    return await (flags.list ? list(run) : flags.check ? check(run) : release(run)).finally(() => store.close());
  } catch (error) {
    throw error instanceof GatewayError ? new UsageError(error.message, { cause: error }) : error;
  }
}

function checkVersion(version: string, file: string): void {
  if (parseVersion(version)) return;
  throw new UsageError(
    `${file} has the version ${JSON.stringify(version)}, which is no semantic version: ` +
      `compile it with --manifest-version and one such as 1.2.0`,
  );
}

function locationIn(store: string, cwd: string): string {
  if (store === 'memory') throw new UsageError('--store memory would be gone at once: name a folder, or a Redis');
  return isUrl(store) ? store : resolve(cwd, store);
}

const isUrl = (store: string): boolean => /^(?:rediss?:|\w[\w+.-]+:\/\/)/i.test(store);

/** Without the password. */
const shown = (place: string): string => (isUrl(place) ? `${new URL(place).protocol}//${new URL(place).host}` : place);

const say = ({ stderr }: Run, ...lines: readonly string[]): Promise<void> =>
  stderr(lines.map((line) => `webmcp-gateway: ${oneLine(line)}\n`).join(''));

/** As `serve` takes it. */
async function offerOf(manifest: Manifest, flags: ReleaseFlags, cwd: string): Promise<Offer> {
  const config = flags.config === undefined ? {} : await readOperatorConfig(flags.config, cwd);
  checkConfig(config, manifest, flags.config ?? '');
  const { baseUrl, origins } = settingsOf({
    ...{ baseUrl: flags.baseUrl ?? anywhere, origins: flags.origin ?? [], allowPrivateAddresses: true },
  });
  return {
    ...{ config, origins, ...(flags.baseUrl !== undefined && { baseUrl }) },
    clientSecrets: flags.clientSecrets ?? false,
    autosubmitOnly: flags.autosubmitOnly ?? false,
  };
}

/** The base URL of a site that nobody has named yet. */
const anywhere = 'https://site.invalid/';

async function releaseOf({ manifest, offer }: Run): Promise<Release> {
  const { metadata } = await offered(manifest, offer);
  const { version, hash } = metadata;
  return { version, hash, released: new Date().toISOString(), metadata, manifest };
}

async function release(run: Run): Promise<boolean> {
  const wanted = await releaseOf(run);
  const { releases, damaged } = await releasesOf(run);
  const released = releases.find(({ version }) => version === wanted.version);
  if (released && released.hash !== wanted.hash) return await refuse(run, releases, wanted);
  const judged = judge(releases, run.manifest);
  const outcome = await writeRelease(run.storage, wanted);
  await run.stdout(`${wanted.hash}\n`);
  await say(run, ...damaged, ...(released ? notes(released, run.manifest) : judged), done(run, wanted, outcome));
  return true;
}

const done = ({ place }: Run, { metadata }: Release, outcome: 'written' | 'same'): string => {
  const { name, version, actions } = metadata;
  const count = actions.length === 1 ? '1 action' : `${actions.length} actions`;
  return outcome === 'written'
    ? `released ${name} ${version} with ${count} in ${place}`
    : `${name} ${version} is released already in ${place}, with the same actions`;
};

async function refuse(run: Run, releases: readonly Release[], wanted: Release): Promise<false> {
  const { changes, lines } = refusal(releases, run.manifest, wanted);
  await run.stderr(changes);
  await say(run, ...lines);
  return false;
}

async function check(run: Run): Promise<boolean> {
  const wanted = await releaseOf(run);
  const { releases } = await releasesOf(run);
  const released = releases.find(({ version }) => version === wanted.version);
  const what = `${wanted.metadata.name} ${wanted.version}`;
  if (released?.hash === wanted.hash) {
    await run.stdout(`${wanted.hash}\n`);
    await say(run, ...notes(released, run.manifest), `${what} is released in ${run.place}, with these actions`);
    return true;
  }
  if (released) return await refuse(run, releases, wanted);
  await say(run, `${what} is not released in ${run.place}: run webmcp-gateway release`);
  return false;
}

async function list(run: Run): Promise<boolean> {
  const { releases, damaged } = await releasesOf(run);
  const sorted = newest(releases);
  const width = Math.max(0, ...sorted.map(({ version }) => version.length));
  const lines = sorted.map(({ version, hash, released }) => `${version.padEnd(width)}  ${hash}  ${released}`);
  await run.stdout(lines.map((line) => `${oneLine(line)}\n`).join(''));
  const count = sorted.length === 1 ? '1 release' : `${sorted.length} releases`;
  await say(run, ...damaged, `${count} of ${run.manifest.name} in ${run.place}`);
  return damaged.length === 0;
}

async function releasesOf({ storage, manifest }: Run): Promise<{
  readonly releases: readonly Release[];
  /** A line for each. */
  readonly damaged: readonly string[];
}> {
  const { releases, damaged } = await listReleases(storage, manifest.name);
  return { releases, damaged: damaged.map((key) => `warning: the release ${key} is damaged: restore it`) };
}
