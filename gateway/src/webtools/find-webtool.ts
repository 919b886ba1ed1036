import { oncePerObject, preview } from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';
import type { LiveManifest, GatewayManifest } from '../manifest.js';
import { readRelease, type Release } from '../releases/releases.js';
import { resolveSettings, type GatewayOptions, type Settings } from '../settings.js';
import type { Storage } from '../stores/store.js';
import type { ExcludedTool } from './actions.js';
import { webtoolFor, type Webtool, type WebtoolMetadata } from './webtool.js';

export interface ServedWebtool {
  readonly webtool: Webtool;
  /** Whether the version is released, so that its actions never change. */
  readonly isReleased: boolean;
}

/**
 * Finds a version of a webtool. A release takes precedence over the manifest if their actions or forms differ. Otherwise the
 * manifest is used, so that its webtool is created once.
 *
 * @throws {GatewayError} `webtool-not-found`, `store-unavailable`
 */
export async function findWebtool(
  { current }: LiveManifest,
  settings: Settings,
  version = current.version,
): Promise<ServedWebtool> {
  const own = version === current.version ? await webtoolFor(current, settings) : undefined;
  const release = await cachedRelease(settings.versions, current.name, version);
  if (!release) {
    if (own) return { webtool: own, isReleased: false };
    const message = `${preview(current.name)} has no version ${preview(version)}. The current version is ${preview(current.version)}.`;
    throw new GatewayError('webtool-not-found', message);
  }
  const isOwn = own?.metadata.hash === release.hash;
  const webtool = isOwn ? own : await webtoolFor(release.manifest, settings, release.metadata);
  return { webtool: { ...webtool, metadata: release.metadata }, isReleased: true };
}

/**
 * Returns the error of a call whose client has read other metadata.
 */
export function changeSince(hash: string | undefined, { metadata }: Webtool): GatewayError | undefined {
  if (hash === undefined || hash === metadata.hash) return undefined;
  const { name, version } = metadata;
  const change = `The tools of ${preview(name)}, version ${preview(version)}, changed since they were read: their hash was ${preview(hash)} and is ${preview(metadata.hash)}`;
  const advice = 'Nothing was submitted. Read the metadata again, and review it before you call.';
  return new GatewayError('webtool-changed', `${change}. ${advice}`);
}

const cacheOf = oncePerObject((_: Storage) => new Map<string, Release>());
const maxCached = 10;

/** Caches the most recently used releases, which never change. */
async function cachedRelease(
  versions: Storage | undefined,
  name: string,
  version: string,
): Promise<Release | undefined> {
  if (!versions) return undefined;
  const cache = cacheOf(versions);
  const key = JSON.stringify([name, version]);
  const release = cache.get(key) ?? (await readRelease(versions, name, version));
  if (!release) return undefined;
  cache.delete(key);
  cache.set(key, release);
  const [leastRecent = key] = cache.keys();
  if (cache.size > maxCached) cache.delete(leastRecent);
  return release;
}

/**
 * Rejects a manifest whose version was released with other actions, because the gateway would serve the release
 * instead.
 *
 * @throws {GatewayError} `config-error`, `store-unavailable`
 */
export async function checkVersion(manifest: GatewayManifest, options: GatewayOptions): Promise<void> {
  const { name, version } = manifest;
  const settings = resolveSettings(options);
  const release = settings.versions && (await readRelease(settings.versions, name, version));
  if (!release) return;
  const { metadata, excluded } = await webtoolFor(manifest, settings);
  if (metadata.hash === release.hash) return;
  const problem = `Version ${preview(version)} of ${preview(name)} was released with other actions or another description.`;
  throw new GatewayError('config-error', `${problem} ${adviceFor(release, metadata, excluded)}`);
}

function adviceFor(release: Release, metadata: WebtoolMetadata, excluded: readonly ExcludedTool[]): string {
  const names = new Set(metadata.actions.map(({ name }) => name));
  const missing = release.metadata.actions.find(({ name }) => !names.has(name))?.name;
  const reason = excluded.find(({ tool }) => tool === missing)?.reason;
  if (missing === undefined || reason === undefined) return 'Release the manifest with a new version.';
  return `The release has ${preview(missing)}, which this gateway excludes: ${reason}. Use the same options for release and serve.`;
}
