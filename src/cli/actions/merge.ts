import { defaultSensitive } from '../../compiler/index.js';
import { readManifestUrls } from '../../crawl/index.js';
import type { ManifestOptions } from '../../site/manifest/manifest.js';
import { indexShards, readPages } from '../../site/manifest/merge-shards.js';
import { closeShards, manifestShard, openShards, type Shard } from '../../site/manifest/shards.js';
import { countOf } from '../../site/printable.js';
import { summaryOf, type Tally } from '../../site/tally.js';
import { parseUrl } from '../../site/url.js';
import { UsageError } from '../../site/usage-error.js';
import type { CliContext } from '../program.js';
import type { ManifestFlags } from '../options.js';
import { openOutput, warningLines, writeMessage, writtenTo } from '../output.js';
import { diagnosticLines, manifestOptions, writeManifest } from './compile.js';
import { checkUnused, isUrlArgument } from './find-inputs.js';
import { requestOptions, type RequestFlags } from './request-options.js';

export interface MergeFlags extends ManifestFlags, RequestFlags {}

export async function merge(paths: readonly string[], flags: MergeFlags, context: CliContext): Promise<Tally> {
  const { cwd, stdin, stderr } = context;
  const options = await manifestOptions(cwd, flags, cwd);
  const urls = paths.filter((path) => isUrlArgument(path, cwd));
  const files = paths.filter((path) => !urls.includes(path));
  if (urls.length === 0) checkUnused({ ...(flags.header && { header: flags.header }) });
  const served = urls.length > 0 ? await readServed(urls, flags, context) : [];
  const shards = [...(files.length > 0 || urls.length === 0 ? await openShards(files, cwd, stdin) : []), ...served];
  try {
    for (const shard of shards) checkOptions(shard, options);
    const sink = openOutput(shards, flags.out, context);
    const { places, tally } = await indexShards(shards);
    const lines: string[] = [];
    const pages = readPages(places, (path, found) => lines.push(diagnosticLines(path, found)));
    await writeManifest(options, pages, sink, flags.out);
    await writeMessage(stderr, lines.join(''));
    await writeMessage(stderr, `webmcp-forms: ${summaryOf(tally)}${writtenTo(flags.out)}\n`);
    return tally;
  } finally {
    await closeShards(shards);
  }
}

async function readServed(
  urls: readonly string[],
  flags: RequestFlags,
  { cwd, stderr }: CliContext,
): Promise<readonly Shard[]> {
  const options = await requestOptions(flags, cwd);
  const manifests = await readManifestUrls(
    urls.map((url) => parseUrl(url).href),
    options,
  );
  const lines = manifests.map(
    ({ url, origin, manifest: { pages } }) => `${countOf(pages.length, 'page')} of ${origin}, read from ${url}`,
  );
  await writeMessage(stderr, warningLines(lines));
  return manifests.map(({ url, manifest }) => manifestShard(manifest, url, null));
}

/** Checks that a manifest was compiled with the given options, because its schemas depend on them. */
function checkOptions({ file, manifest }: Shard, options: ManifestOptions): void {
  const { profile, sensitive = defaultSensitive(profile) } = options;
  if (!manifest || (manifest.profile === profile && manifest.sensitive === sensitive)) return;
  const own = `--profile ${manifest.profile} --sensitive ${manifest.sensitive}`;
  throw new UsageError(`${file} was compiled with ${own}. Merge it with these options, or compile it again.`);
}
