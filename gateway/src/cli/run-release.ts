import { resolve } from 'node:path';
import { type Manifest, UsageError } from 'webmcp-forms/build';
import { type CliContext, countOf, oneLine, streamSink, writeMessage } from 'webmcp-forms/cli';
import { GatewayError } from '../gateway-error.js';
import { isStoreUrl, openStore } from '../node/stores.js';
import {
  checkVersionStep,
  describeConflict,
  describeUnreleasedChanges,
  newestFirst,
  parseVersion,
} from '../releases/compare-releases.js';
import { listReleases, writeRelease, type Release } from '../releases/releases.js';
import { resolveSettings } from '../settings.js';
import type { Storage } from '../stores/store.js';
import type { ServingPolicy } from '../webtools/actions.js';
import { createWebtool } from '../webtools/webtool.js';
import { checkConfig, readOperatorConfig, readServableManifest } from './operator-config.js';
import type { ServeFlags } from './serve/setup.js';

type PolicyFlags = Pick<
  ServeFlags,
  'baseUrl' | 'config' | 'clientSecrets' | 'autosubmitOnly' | 'readForms' | 'continue' | 'origin' | 'store'
>;

export interface ReleaseFlags extends PolicyFlags {
  readonly check?: true;
  readonly list?: true;
}

interface ReleaseRun {
  readonly manifest: Manifest;
  readonly policy: ServingPolicy;
  readonly storage: Storage;
  /** The store's location for messages, without its password. */
  readonly store: string;
  readonly writeOutput: (text: string) => Promise<void>;
  readonly writeReport: (text: string) => Promise<void>;
}

/**
 * Releases a manifest, checks its release, or lists its releases.
 *
 * @returns whether it succeeded
 * @throws {UsageError} also for an unavailable store
 */
export async function runRelease(file: string, flags: ReleaseFlags, context: CliContext): Promise<boolean> {
  const { cwd, stdout, stderr, env } = context;
  const manifest = await readServableManifest(file, cwd);
  if (!flags.list) checkVersion(manifest.version, file);
  const store = (flags.store ?? env?.WEBMCP_FORMS_STORE) || '.webmcp';
  if (store === 'memory') throw new UsageError('--store memory is not permanent. Use a folder or a Redis URL.');
  const location = isStoreUrl(store) ? store : resolve(cwd, store);
  try {
    const policy = await readPolicy(manifest, flags, cwd);
    const { storage, close } = await openStore(location, 'releases', {
      isReadOnly: Boolean(flags.list ?? flags.check),
      isShared: true, // releases are not secret, and another user may serve them
    });
    const run: ReleaseRun = {
      manifest,
      policy,
      storage,
      store: isStoreUrl(store) ? `${new URL(store).protocol}//${new URL(store).host}` : store,
      writeOutput: (text) => streamSink(stdout)([text]),
      writeReport: (text) => writeMessage(stderr, text),
    };
    try {
      return await (flags.list ? list(run) : flags.check ? check(run) : release(run));
    } finally {
      await close();
    }
  } catch (error) {
    throw error instanceof GatewayError ? new UsageError(error.message, { cause: error }) : error;
  }
}

function checkVersion(version: string, file: string): void {
  if (parseVersion(version)) return;
  const problem = `The version ${JSON.stringify(version)} of ${file} is not a semantic version.`;
  throw new UsageError(`${problem} Compile it with a semantic version, such as --manifest-version 1.2.0.`);
}

async function readPolicy(manifest: Manifest, flags: ReleaseFlags, cwd: string): Promise<ServingPolicy> {
  const config = flags.config === undefined ? {} : await readOperatorConfig(flags.config, cwd);
  checkConfig(config, manifest, flags.config ?? '');
  const { baseUrl, origin: origins, clientSecrets, autosubmitOnly, readForms, continue: continuePaths } = flags;
  const settings = resolveSettings({
    config,
    origins,
    clientSecrets,
    autosubmitOnly,
    readForms,
    continuePaths,
    baseUrl: baseUrl ?? 'https://site.invalid/',
    allowPrivateAddresses: true,
  });
  return { ...settings, baseUrl: baseUrl === undefined ? undefined : settings.baseUrl };
}

async function createRelease({ manifest, policy }: ReleaseRun): Promise<Release> {
  const { metadata } = await createWebtool(manifest, policy);
  const { version, hash } = metadata;
  return { version, hash, released: new Date().toISOString(), metadata, manifest };
}

async function release(run: ReleaseRun): Promise<boolean> {
  const candidate = await createRelease(run);
  const { releases, warnings } = await readReleases(run);
  const existing = releases.find(({ version }) => version === candidate.version);
  if (existing && existing.hash !== candidate.hash) return await reject(run, releases, candidate);
  const versionWarnings = checkVersionStep(releases, run.manifest);
  const outcome = await writeRelease(run.storage, candidate);
  await run.writeOutput(`${candidate.hash}\n`);
  const { name, version, actions } = candidate.metadata;
  const result =
    outcome === 'written'
      ? `released ${name} ${version} with ${countOf(actions.length, 'action')} in ${run.store}`
      : `${name} ${version} is already released in ${run.store} with the same actions`;
  await report(
    run,
    ...warnings,
    ...(existing ? describeUnreleasedChanges(existing, run.manifest) : versionWarnings),
    result,
  );
  return true;
}

async function reject(run: ReleaseRun, releases: readonly Release[], candidate: Release): Promise<false> {
  const { changes, lines } = describeConflict(releases, run.manifest, candidate);
  await run.writeReport(changes);
  await report(run, ...lines);
  return false;
}

async function check(run: ReleaseRun): Promise<boolean> {
  const candidate = await createRelease(run);
  const { releases } = await readReleases(run);
  const existing = releases.find(({ version }) => version === candidate.version);
  const title = `${candidate.metadata.name} ${candidate.version}`;
  if (existing?.hash === candidate.hash) {
    await run.writeOutput(`${candidate.hash}\n`);
    await report(
      run,
      ...describeUnreleasedChanges(existing, run.manifest),
      `${title} is released in ${run.store} with these actions`,
    );
    return true;
  }
  if (existing) return await reject(run, releases, candidate);
  await report(run, `${title} is not released in ${run.store}. Run webmcp-gateway release.`);
  return false;
}

async function list(run: ReleaseRun): Promise<boolean> {
  const { releases, warnings } = await readReleases(run);
  const sorted = newestFirst(releases);
  const width = Math.max(0, ...sorted.map(({ version }) => version.length));
  const lines = sorted.map(({ version, hash, released }) => `${version.padEnd(width)}  ${hash}  ${released}`);
  await run.writeOutput(lines.map((line) => `${oneLine(line)}\n`).join(''));
  await report(run, ...warnings, `${countOf(sorted.length, 'release')} of ${run.manifest.name} in ${run.store}`);
  return warnings.length === 0;
}

async function readReleases({ storage, manifest }: ReleaseRun) {
  const { releases, damaged } = await listReleases(storage, manifest.name);
  return { releases, warnings: damaged.map((key) => `warning: the release ${key} is damaged. Restore it.`) };
}

const report = ({ writeReport }: ReleaseRun, ...lines: readonly string[]): Promise<void> =>
  writeReport(lines.map((line) => `webmcp-gateway: ${oneLine(line)}\n`).join(''));
