import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Diagnostic } from '../../compiler/index.js';
import { groupBy } from '../../group-by.js';
import { maxMergedPages } from '../limits.js';
import { bytesOf, parseJson, type Line } from '../pages/read-records.js';
import { decodeUtf8 } from '../pages/read-text.js';
import { oneLine } from '../printable.js';
import { addPage, emptyTally, type Tally } from '../tally.js';
import { UsageError } from '../usage-error.js';
import { byPath, hasContent, type ManifestPage } from './manifest.js';
import { joinPages } from './join-pages.js';
import schema from './manifest.schema.json' with { type: 'json' };
import { pageProblem } from './read-manifest.js';
import type { Shard } from './shards.js';

/** The place of a page in a shard. Pages are sorted by path without loading all of them. */
interface PagePlace extends Pick<Line, 'start' | 'length'> {
  readonly path: string;
  readonly where: string;
  readonly shard: Shard;
}

interface ShardIndex {
  /** The places of the pages with content, sorted by path. */
  readonly places: readonly PagePlace[];
  readonly tally: Tally;
}

/** @throws {UsageError} if a line is not a compiled page, or two pages have the same path */
export async function indexShards(shards: readonly Shard[]): Promise<ShardIndex> {
  const places: (PagePlace & { readonly isEmpty: boolean })[] = [];
  let tally = emptyTally;
  for (const shard of shards) {
    for await (const line of shard.lines()) {
      const { number, start, length } = line;
      const where = shard.manifest ? shard.file : `${shard.file}:${number}`;
      const page = parsePage(bytesOf(line, where), where);
      if (page === undefined) continue;
      const problem = pageProblem(page);
      if (problem !== undefined) throw invalidLine(where, problem);
      tally = addPage(tally, page);
      if (tally.pages > maxMergedPages)
        throw new UsageError(`The shards have more than ${maxMergedPages} pages. Merge them into several manifests.`);
      places.push({ path: page.path, where, shard, start, length, isEmpty: !hasContent(page) });
    }
  }
  places.sort(byPath).forEach((place, index) => checkPath(place, places[index - 1]));
  return { places: places.filter(({ isEmpty }) => !isEmpty), tally };
}

/** Rejects two pages with the same path. Only a manifest may repeat a path of another shard: its session may be different. */
function checkPath({ path, where, shard }: PagePlace, before: PagePlace | undefined): void {
  if (path !== before?.path || (shard !== before.shard && (shard.manifest || before.shard.manifest))) return;
  throw new UsageError(
    `Two pages have the path "${oneLine(path)}": ${before.where} and ${where}. Merge each shard once.`,
  );
}

/** @param onJoin - called with the diagnostics about the differences between two versions of a page */
export function* readPages(
  places: readonly PagePlace[],
  onJoin: (path: string, found: readonly Diagnostic[]) => void,
): Generator<ManifestPage> {
  for (const samePath of groupBy(places, ({ path }) => path).values()) {
    const [first, ...others] = samePath;
    let page = readPage(first);
    for (const other of others) {
      const joined = joinPages(page, readPage(other), { first: first.where, second: other.where });
      page = joined.page;
      onJoin(page.path, joined.found);
    }
    yield page;
  }
}

function readPage(place: PagePlace): ManifestPage {
  const page = parsePage(place.shard.read(place), place.where);
  if (page?.path !== place.path) throw new UsageError(`${place.where} changed while it was read. Merge it again.`);
  return page;
}

const validate = new Ajv2020({ strict: false }).compile<ManifestPage>({ ...schema, ...schema.$defs.page });

/** The page of a line; undefined for an empty line. Hadoop adds a tab to lines, which JSON ignores. */
function parsePage(bytes: Uint8Array, where: string): ManifestPage | undefined {
  const text = decodeUtf8(bytes, where);
  if (text.trim() === '') return undefined;
  const page = parseJson(text, (reason) => invalidLine(where, reason));
  if (validate(page)) return page;
  const { instancePath = '', message = 'it is invalid' } = validate.errors?.[0] ?? {};
  throw invalidLine(where, `${instancePath} ${message}`);
}

const invalidLine = (where: string, reason: string): UsageError =>
  new UsageError(
    `Cannot read ${where}: ${oneLine(reason)}. Name files whose lines are the output of webmcp-forms compile --ndjson.`,
  );
