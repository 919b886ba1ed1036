import { Ajv2020 } from 'ajv/dist/2020.js';
import { manifestOptions, type CompileFlags } from './compile.js';
import { byPath, saysSomething, type ManifestPage } from '../../site/manifest/manifest.js';
import schema from '../../site/manifest/manifest.schema.json' with { type: 'json' };
import { sinkBeside } from '../../site/output.js';
import { problemOfPage } from '../../site/manifest/read-manifest.js';
import { decodeUtf8 } from '../../site/pages/read-text.js';
import { count, nothing, oneLine, summary, tell, type Tally } from '../../site/report.js';
import type { Surroundings } from '../../site/surroundings.js';
import { UsageError } from '../../site/usage-error.js';
import { manifestText, whole } from '../../site/manifest/manifest-text.js';
import { closeAll, openShards, type Line, type Place, type Shard } from '../../site/manifest/shards.js';

/** Makes the manifest of pages that were compiled with `--ndjson`, writes it, and returns how much it was. */
export async function merge(paths: readonly string[], flags: CompileFlags, surroundings: Surroundings): Promise<Tally> {
  const run = { flags, ...surroundings };
  const options = await manifestOptions(run.cwd, run);
  const shards = await openShards(paths, surroundings);
  try {
    const sink = sinkBeside(shards, flags.out, run);
    const { pages, tally } = await readPlaces(shards);
    const text = manifestText(options, readPages(pages));
    await sink(flags.out === undefined ? await whole(text) : text);
    const destination = flags.out === undefined ? '' : `, written to ${flags.out}`;
    await tell(run.stderr, `webmcp-forms: ${summary(tally)}${destination}\n`);
    return tally;
  } finally {
    await closeAll(shards);
  }
}

/** Where a page's line is: pages are sorted without being in memory. */
interface PagePlace extends Place {
  readonly path: string;
  readonly where: string;
  readonly shard: Shard;
}

async function readPlaces(
  shards: readonly Shard[],
): Promise<{ readonly pages: readonly PagePlace[]; readonly tally: Tally }> {
  const pages: PagePlace[] = [];
  let tally = nothing;
  for (const shard of shards) {
    for await (const line of shard.lines()) {
      const where = `${shard.file}:${line.number}`;
      const page = parsePage(line, where);
      if (page === undefined) continue;
      const problem = problemOfPage(page);
      if (problem !== undefined) throw wrong(where, oneLine(problem));
      tally = count(tally, page);
      pages.push({ path: page.path, where, shard, start: line.start, length: saysSomething(page) ? line.length : 0 });
    }
  }
  pages.sort(byPath).forEach((page, index) => checkPath(page, pages[index - 1]));
  return { pages: pages.filter(({ length }) => length > 0), tally };
}

function checkPath(page: PagePlace, before: PagePlace | undefined): void {
  if (page.path !== before?.path) return;
  const both = `${before.where} and ${page.where}`;
  throw new UsageError(`two pages have the path "${oneLine(page.path)}", ${both}: merge each shard once`);
}

// eslint-disable-next-line @typescript-eslint/require-await -- it is read as a stream, and a file is read at once
async function* readPages(places: readonly PagePlace[]): AsyncGenerator<ManifestPage> {
  for (const place of places) {
    const page = parsePage({ bytes: place.shard.read(place) }, place.where);
    if (page?.path !== place.path) throw new UsageError(`${place.where} changed while it was read: merge it again`);
    yield page;
  }
}

const validate = new Ajv2020({ strict: false }).compile<ManifestPage>({ ...schema, ...schema.$defs.page });

/** A line's page; none of an empty line. Hadoop ends its lines with a tab, which is white space to JSON. */
function parsePage({ bytes }: Pick<Line, 'bytes'>, where: string): ManifestPage | undefined {
  const text = decodeUtf8(bytes, where);
  if (text.trim() === '') return undefined;
  const page = parseJson(text, where);
  if (!validate(page)) throw wrong(where, reason());
  return page;
}

function reason(): string {
  const { instancePath = '', message = 'it is wrong' } = validate.errors?.[0] ?? {};
  return oneLine(`${instancePath} ${message}`);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(where, 'it is not valid JSON');
  }
}

const wrong = (where: string, what: string): UsageError =>
  new UsageError(`cannot read ${where}: ${what}: each line is a page that webmcp-forms compile --ndjson wrote`);
