import { preview } from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';
import type { LiveManifest } from '../live-manifest.js';
import { settingsOf, type GatewayOptions, type Settings } from '../settings.js';
import type { LeftOut } from './actions.js';
import type { GatewayManifest } from '../tool.js';
import type { Storage } from '../stores/store.js';
import { readRelease, type Release } from '../releases/releases.js';
import { webtoolOf, type Webtool, type WebtoolMetadata } from './webtool.js';

/** A webtool in one of its versions. */
export interface ServedWebtool {
  readonly webtool: Webtool;
  /** Whether the version was released: it has these actions for ever. */
  readonly isReleased: boolean;
}

/**
 * Finds a version of a webtool. A release wins over a manifest of its version that has other actions; one that has the
 * same is run, because it knows best where the site has them now.
 *
 * @param version - the current one if it is left out
 * @throws {GatewayError} `webtool-not-found`, `store-unavailable`
 */
export async function findWebtool(
  { current }: LiveManifest,
  settings: Settings,
  version = current.version,
): Promise<ServedWebtool> {
  const own = version === current.version ? await webtoolOf(current, settings) : undefined;
  const release = await releaseOf(settings.versions, current.name, version);
  if (!release) {
    if (own) return { webtool: own, isReleased: false };
    throw notFound(version, current);
  }
  const isOwn = own?.metadata.hash === release.hash;
  const webtool = isOwn ? own : await webtoolOf(release.manifest, settings, release.metadata);
  return { webtool: { ...webtool, metadata: release.metadata }, isReleased: true };
}

const known = new WeakMap<Storage, Map<string, Release>>();
const mostKnown = 10;

/** Releases never change, so they are read once. */
async function releaseOf(versions: Storage | undefined, name: string, version: string): Promise<Release | undefined> {
  if (!versions) return undefined;
  const releases = known.get(versions) ?? new Map<string, Release>();
  known.set(versions, releases);
  const key = JSON.stringify([name, version]);
  const release = releases.get(key) ?? (await readRelease(versions, name, version));
  if (!release) return undefined;
  releases.delete(key); // to the end: the first is what was asked for longest ago
  releases.set(key, release);
  const [first = key] = releases.keys();
  if (releases.size > mostKnown) releases.delete(first);
  return release;
}

const notFound = (version: string, { name, version: current }: GatewayManifest): GatewayError =>
  new GatewayError(
    'webtool-not-found',
    `${preview(name)} has no version ${preview(version)} here; the current one is ${preview(current)}.`,
  );

/**
 * Refuses a manifest whose version was released with other actions. A gateway would serve the release in its place.
 *
 * @throws {GatewayError} `config-error`, `store-unavailable`
 */
export async function checkVersion(manifest: GatewayManifest, options: GatewayOptions): Promise<void> {
  const { name, version } = manifest;
  const settings = settingsOf(options);
  const release = settings.versions && (await readRelease(settings.versions, name, version));
  if (!release) return;
  const { metadata, leftOut } = await webtoolOf(manifest, settings);
  if (metadata.hash === release.hash) return;
  const what = `Version ${preview(version)} of ${preview(name)} was released with other actions`;
  throw new GatewayError('config-error', `${what}. ${adviceOn(release, metadata, leftOut)}`);
}

function adviceOn(release: Release, { actions }: WebtoolMetadata, leftOut: readonly LeftOut[]): string {
  const now = new Set(actions.map(({ name }) => name));
  const missing = release.metadata.actions.find(({ name }) => !now.has(name));
  const reason = leftOut.find(({ tool }) => tool === missing?.name)?.reason;
  if (missing === undefined || reason === undefined) return 'Give the manifest a version of its own, and release it.';
  return `It has ${preview(missing.name)}, which is left out here: ${reason}. Release and serve with the same options.`;
}
