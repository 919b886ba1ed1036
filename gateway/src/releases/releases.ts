import { canonicalJson, hashOf, isRecord, preview } from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';
import { answerOf, atomicStoreOf, textOf, unavailable, type Storage } from '../stores/store.js';
import type { GatewayManifest } from '../manifest.js';
import type { WebtoolMetadata } from '../webtools/webtool.js';

/** A version of a webtool as it will always be. */
export interface Release {
  readonly version: string;
  /** Of the actions, as in the metadata. */
  readonly hash: string;
  /** When it was released: a date and time in ISO 8601. */
  readonly released: string;
  /** What `GET /{version}` answers. */
  readonly metadata: WebtoolMetadata;
  readonly manifest: GatewayManifest;
}

/** The releases of a webtool that a store has. */
export interface Releases {
  /** In no order. */
  readonly releases: readonly Release[];
  /** The keys of those that are damaged. */
  readonly damaged: readonly string[];
}

export interface ReleaseOptions {
  /**
   * How long the store may take for an answer.
   * @default 5000
   */
  readonly milliseconds?: number;
}

/**
 * A release as it was written.
 *
 * @throws {GatewayError} `store-unavailable`, also for a release that is damaged: its actions have another hash
 */
export async function readRelease(
  storage: Storage,
  name: string,
  version: string,
  { milliseconds = 5000 }: ReleaseOptions = {},
): Promise<Release | undefined> {
  const key = await keyOf(name, version);
  const item = await answerOf('releases', milliseconds, () => storage.getItemRaw<unknown>(key));
  if (item === null || item === undefined) return undefined;
  const release = await releaseIn(item);
  if (release?.version === version && release.metadata.name === name) return release;
  throw damaged(name, version);
}

const damaged = (name: string, version: string): GatewayError =>
  unavailable('releases', `has version ${preview(version)} of ${preview(name)}, but it is damaged: restore it`);

/**
 * All releases of a webtool.
 *
 * @throws {GatewayError} `store-unavailable`
 */
export async function listReleases(
  storage: Storage,
  name: string,
  { milliseconds = 5000 }: ReleaseOptions = {},
): Promise<Releases> {
  const folder = await encode(name);
  const ask = <Value>(question: () => Promise<Value>): Promise<Value> => answerOf('releases', milliseconds, question);
  const keys = (await ask(() => storage.getKeys(folder))).filter((key) => key.endsWith('.json')).sort();
  const releases: Release[] = [];
  const broken: string[] = [];
  for (const key of keys) {
    const item = await ask(() => storage.getItemRaw<unknown>(key));
    const release = await releaseIn(item);
    if (release?.metadata.name === name && (await keyOf(name, release.version)) === key) releases.push(release);
    else broken.push(key);
  }
  return { releases, damaged: broken };
}

/**
 * Keeps a release for good.
 *
 * A store that `webmcp-gateway/node` opens never has a part of a release, and of several that are written at once
 * exactly one. With other drivers of unstorage that is as sure as they are: it is looked before, and again afterwards.
 *
 * @returns whether it was written, or was there with the same actions
 * @throws {GatewayError} `config-error` when the version was released with other actions; `store-unavailable`
 */
export async function writeRelease(
  storage: Storage,
  release: Release,
  { milliseconds = 5000 }: ReleaseOptions = {},
): Promise<'written' | 'same'> {
  const { name } = release.metadata;
  const before = await readRelease(storage, name, release.version, { milliseconds });
  if (before) return sameAs(before, release);
  const key = await keyOf(name, release.version);
  const text = `${JSON.stringify(release)}\n`;
  const isNew = await answerOf('releases', milliseconds, () => create(storage, key, text));
  const now = await readRelease(storage, name, release.version, { milliseconds });
  if (!now) throw unavailable('releases', 'has lost what was written');
  return isNew && canonicalJson(now) === canonicalJson(JSON.parse(text)) ? 'written' : sameAs(now, release);
}

function sameAs(before: Release, { metadata, version, hash }: Release): 'same' {
  if (before.hash === hash) return 'same';
  const what = `Version ${preview(version)} of ${preview(metadata.name)}`;
  throw new GatewayError('config-error', `${what} is released already, with other actions: give it another version.`);
}

async function create(storage: Storage, key: string, text: string): Promise<boolean> {
  const store = atomicStoreOf(storage);
  if (store) return await store.create(key, text);
  await storage.setItemRaw(key, text);
  return true;
}

/** The release that an item is; undefined for what is none. As it is read raw, no name of a member is taken out of it. */
async function releaseIn(item: unknown): Promise<Release | undefined> {
  const release = parsed(textOf(item));
  if (!isRelease(release)) return undefined;
  const { version, hash, metadata, manifest } = release;
  const names = new Set([metadata.name, manifest.name]);
  const versions = new Set([version, metadata.version, manifest.version]);
  const hashes = new Set([hash, metadata.hash, await hashOf(metadata.actions)]);
  return names.size === 1 && versions.size === 1 && hashes.size === 1 ? release : undefined;
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRelease = (value: unknown): value is Release =>
  isRecord(value) &&
  typeof value.version === 'string' &&
  typeof value.released === 'string' &&
  isRecord(value.metadata) &&
  Array.isArray(value.metadata.actions) &&
  isRecord(value.manifest) &&
  Array.isArray(value.manifest.pages);

const keyOf = async (name: string, version: string): Promise<string> =>
  `${await encode(name)}:${await encode(version)}.json`;

/** What means something to a store, a file system or Windows, anywhere in a name or at its start or end. */
const special = /[^a-z0-9.-]|^[.-]|\.$|\.(?=\.)|^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))./g;

/** Names of files have at most 255 bytes. */
const longestName = 150;

/**
 * A name that is safe in every store. Different names stay different, also where capital letters are small ones.
 */
async function encode(name: string): Promise<string> {
  const safe = name.replaceAll(special, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `_u${code.padStart(4, '0')}` : `_${code.padStart(2, '0')}`;
  });
  if (safe === '') return '_';
  if (safe.length <= longestName) return safe;
  const hash = (await hashOf(name)).slice('sha256-'.length);
  const digest = Array.from(atob(hash), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return `${safe.slice(0, 60)}_-${digest}`;
}
