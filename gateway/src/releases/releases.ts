import { canonicalJson, hashOf, isRecord, parseJson, preview, webtoolHash } from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';
import { pathProblemIn, type GatewayManifest } from '../manifest.js';
import {
  atomicStoreOf,
  defaultTimeoutMs,
  storeRunner,
  storeUnavailable,
  type Storage,
  type StoreTimeoutOptions,
} from '../stores/store.js';
import { runInTurn } from '../stores/keyed-mutex.js';
import type { WebtoolMetadata } from '../webtools/webtool.js';

export interface Release {
  readonly version: string;
  readonly hash: string;
  /** The date and time of the release in ISO 8601. */
  readonly released: string;
  /** The response to `GET /{version}`. */
  readonly metadata: WebtoolMetadata;
  readonly manifest: GatewayManifest;
}

interface ReleaseList {
  /** Not sorted. */
  readonly releases: readonly Release[];
  readonly damaged: readonly string[];
}

/**
 * Reads a release.
 *
 * @throws {GatewayError} `store-unavailable`, also for a damaged release; `config-error` for a page outside the site's folder
 */
export async function readRelease(
  storage: Storage,
  name: string,
  version: string,
  options: StoreTimeoutOptions = {},
): Promise<Release | undefined> {
  const key = await keyOf(name, version);
  const item = await storeRunner('releases', options)(() => storage.getItemRaw<unknown>(key));
  if (item === null || item === undefined) return undefined;
  const release = await parseRelease(item);
  const problem = release && pathProblemIn(release.manifest.pages);
  if (problem !== undefined) {
    const title = `Version ${preview(version)} of ${preview(name)}`;
    throw new GatewayError('config-error', `${title} is not served: ${problem}.`);
  }
  if (release?.version === version && release.metadata.name === name) return release;
  throw storeUnavailable('releases', `has a damaged version ${preview(version)} of ${preview(name)}. Restore it`);
}

/** Lists all releases of a webtool. @throws {GatewayError} `store-unavailable` */
export async function listReleases(
  storage: Storage,
  name: string,
  options: StoreTimeoutOptions = {},
): Promise<ReleaseList> {
  const run = storeRunner('releases', options);
  const folder = await encodeName(name);
  const keys = (await run(() => storage.getKeys(folder))).filter((key) => key.endsWith('.json')).sort();
  const releases: Release[] = [];
  const damaged: string[] = [];
  for (const key of keys) {
    const release = await parseRelease(await run(() => storage.getItemRaw<unknown>(key)));
    if (release?.metadata.name === name && (await keyOf(name, release.version)) === key) releases.push(release);
    else damaged.push(key);
  }
  return { releases, damaged };
}

/**
 * Writes a release.
 *
 * A store of `webmcp-gateway/node` never contains a partial release, and accepts exactly one of several concurrent
 * releases of a version. With other drivers of unstorage, this holds for the releases of one process.
 *
 * @returns whether the release was written, or existed with the same actions
 * @throws {GatewayError} `config-error` if the version exists with other actions; `store-unavailable`
 */
export async function writeRelease(
  storage: Storage,
  release: Release,
  options: StoreTimeoutOptions = {},
): Promise<'written' | 'same'> {
  const store = atomicStoreOf(storage);
  const key = await keyOf(release.metadata.name, release.version);
  if (store) return await write(storage, release, options, (text) => store.create(key, text));
  return await writeInTurn(storage, key, release, options);
}

/** The number of operations of three turns of two reads and a write: a release waits for at most two other releases. */
const turnOperations = 9;

/**
 * Writes a release. The next release waits for the store's response, even after the timeout, because a late write would
 * replace the next release.
 */
async function writeInTurn(
  storage: Storage,
  key: string,
  release: Release,
  options: StoreTimeoutOptions,
): Promise<'written' | 'same'> {
  const { timeoutMs = defaultTimeoutMs } = options;
  let outcome: 'written' | 'same' = 'same';
  let writing: Promise<unknown> = Promise.resolve();
  const overwrite = async (text: string): Promise<boolean> => {
    await (writing = storage.setItemRaw(key, text));
    return true;
  };
  const turn = async (): Promise<void> => {
    outcome = await write(storage, release, options, overwrite);
  };
  const run = storeRunner('releases', { timeoutMs: turnOperations * timeoutMs });
  await run(() => runInTurn(storage, key, turn, { settled: () => writing }));
  return outcome;
}

async function write(
  storage: Storage,
  release: Release,
  options: StoreTimeoutOptions,
  create: (text: string) => Promise<boolean>,
): Promise<'written' | 'same'> {
  const { version, metadata } = release;
  const existing = await readRelease(storage, metadata.name, version, options);
  if (existing) return checkSame(existing, release);
  const text = `${JSON.stringify(release)}\n`;
  const isNew = await storeRunner('releases', options)(() => create(text));
  const stored = await readRelease(storage, metadata.name, version, options);
  if (!stored) throw storeUnavailable('releases', 'has lost the release');
  return isNew && canonicalJson(stored) === canonicalJson(JSON.parse(text)) ? 'written' : checkSame(stored, release);
}

function checkSame(existing: Release, { metadata, version, hash }: Release): 'same' {
  if (existing.hash === hash) return 'same';
  const title = `Version ${preview(version)} of ${preview(metadata.name)}`;
  throw new GatewayError('config-error', `${title} is already released with other actions. Use another version.`);
}

/** Parses a raw item, because unstorage would remove `__proto__`. Returns undefined if it is damaged. */
async function parseRelease(item: unknown): Promise<Release | undefined> {
  const isBytes = item instanceof Uint8Array || item instanceof ArrayBuffer;
  const text = isBytes ? new TextDecoder().decode(item) : item;
  const release = typeof text === 'string' ? parseJson(text) : undefined;
  if (!isRelease(release)) return undefined;
  const { version, hash, metadata, manifest } = release;
  const names = new Set([metadata.name, manifest.name]);
  const versions = new Set([version, metadata.version, manifest.version]);
  if (names.size > 1 || versions.size > 1 || hash !== metadata.hash) return undefined;
  return hash === (await webtoolHash(metadata)) ? release : undefined;
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
  `${await encodeName(name)}:${await encodeName(version)}.json`;

/** Characters and names with a special meaning in stores, file systems or Windows. */
const special = /[^a-z0-9.-]|^[.-]|\.$|\.(?=\.)|^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))./g;

/** Below the limit of file systems, 255 bytes. */
const maxNameLength = 150;

/** Encodes a name for any store. Distinct names have distinct encodings, even if the store ignores case. */
async function encodeName(name: string): Promise<string> {
  const safe = name.replaceAll(special, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `_u${code.padStart(4, '0')}` : `_${code.padStart(2, '0')}`;
  });
  if (safe === '') return '_';
  if (safe.length <= maxNameLength) return safe;
  const hash = (await hashOf(name)).slice('sha256-'.length);
  const digest = Array.from(atob(hash), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return `${safe.slice(0, 60)}_-${digest}`;
}
