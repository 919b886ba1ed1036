import { isUrl } from '../../site/url.js';
import { readLivePage, type InspectOptions } from '../../inspect/inspect.js';
import { jsonText } from '../../site/json-record.js';
import type { Manifest } from '../../site/manifest/manifest.js';
import { streamSink } from '../../site/output.js';
import { readManifest } from '../../site/manifest/read-manifest.js';
import { oneLine, tell } from '../../site/report.js';
import type { Surroundings } from '../../site/surroundings.js';
import { UsageError } from '../../site/usage-error.js';
import type { ManifestChange } from '../../diff/change.js';
import { diff, diffPage } from '../../diff/diff.js';
import { livePagePath } from '../../diff/live-page.js';
import { changesSummary, changesText, painter } from '../../diff/print.js';

/** The options of `webmcp-forms diff`. */
export interface DiffFlags extends InspectOptions {
  readonly json?: true;
  /** The page of the manifest that a live page is compared with. */
  readonly page?: string;
}

/** Compares two manifests, or a manifest with a live page, and tells what changed. */
export async function runDiff(
  before: string,
  after: string,
  flags: DiffFlags,
  surroundings: Surroundings,
): Promise<readonly ManifestChange[]> {
  const { cwd, stdout, stderr } = surroundings;
  if (isUrl(before)) throw new UsageError(`${oneLine(before)} is a URL: name the manifest first, then the URL`);
  const old = await readManifest(before, cwd);
  const changes = isUrl(after)
    ? await diffLive(old, after, flags, surroundings)
    : diff(old, await otherManifest(after, flags, cwd));
  const text = flags.json ? `${jsonText(changes, 2)}\n` : changesText(changes, painter(stdout));
  await streamSink(stdout)([text]);
  await tell(stderr, `webmcp-forms: ${changesSummary(changes)} from ${oneLine(before)} to ${oneLine(after)}\n`);
  return changes;
}

function otherManifest(file: string, { page }: DiffFlags, cwd: string): Promise<Manifest> {
  if (page !== undefined) throw new UsageError('--page is for a live page: give a URL instead of the second manifest');
  return readManifest(file, cwd);
}

async function diffLive(
  manifest: Manifest,
  url: string,
  flags: DiffFlags,
  surroundings: Surroundings,
): Promise<readonly ManifestChange[]> {
  const path = livePagePath(manifest, url, flags.page);
  const { profile, sensitive } = manifest;
  const tools = await readLivePage(url, { ...flags, profile, sensitive }, surroundings);
  const before = manifest.pages.find((page) => page.path === path)?.tools ?? [];
  const ofLive = before.map(({ name, title, description, inputSchema }) => ({
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
  }));
  return diffPage(
    path,
    ofLive,
    tools.filter(({ isForm }) => isForm),
  );
}
