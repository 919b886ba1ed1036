import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import sax from 'sax';
import { maxPathLength, urlOf } from '../site/pages/page-path.js';
import type { SiteClient } from './client/site-client.js';
import { maxSitemapBytes, maxSitemapDepth, maxSitemapFiles, maxSitemapUrls } from './limits.js';
import { isActionLink } from './links.js';
import { RequestError } from './problem.js';
import type { RequestRules } from './request-rules.js';

/** Whether the path of a URL has the extension of a sitemap. Text files count as sitemaps, because pages are HTML. */
export const isSitemapUrl = ({ pathname }: URL): boolean => /\.(?:xml|txt)(?:\.gz)?$/i.test(pathname);

interface SitemapPart {
  readonly file: URL;
  readonly urls: readonly string[];
}

/**
 * Yields the URLs in sitemaps and their nested sitemaps, in order. Only one chunk of a file is in memory.
 *
 * @throws {RequestError} if a sitemap cannot be read. The message begins with its URL
 */
export async function* readSitemaps(
  client: SiteClient,
  files: readonly URL[],
  rules: RequestRules,
): AsyncGenerator<SitemapPart> {
  const queue = [...files];
  const seen = new Set(queue.map(({ href }) => href));
  let count = 0;
  for (let file = queue.shift(); file; file = queue.shift()) {
    for await (const found of readSitemap(client, file, rules)) {
      const urls = found.flatMap(({ kind, text }) => (kind === 'url' ? text : []));
      count += urls.length;
      if (count > maxSitemapUrls) throw failure(file, `the sitemaps have more than ${maxSitemapUrls} URLs`);
      if (urls.length > 0) yield { file, urls };
      for (const { kind, text } of found) {
        const next = kind === 'url' ? undefined : urlOf(text, file);
        if (next?.origin !== file.origin || seen.has(next.href) || rules.isExcluded(next)) continue;
        if (isActionLink(next)) {
          const reason = `the index names ${next.pathname.slice(0, 300)}, and the link could change something or log out`;
          throw new RequestError('action', `${file.href}: ${reason}`, 'Name one sitemap by its URL.');
        }
        if (seen.add(next.href).size > maxSitemapFiles) {
          throw failure(file, `the index names more than ${maxSitemapFiles} sitemaps`);
        }
        queue.push(next);
      }
    }
  }
}

const failure = (file: URL, reason: string): RequestError =>
  new RequestError('limit', `${file.href}: ${reason}`, 'Name one sitemap with fewer URLs.');

async function* readSitemap(
  client: SiteClient,
  file: URL,
  { checkRedirect }: RequestRules,
): AsyncGenerator<readonly Location[]> {
  try {
    const fetched = await client.get(file, checkRedirect);
    if (fetched.status < 200 || fetched.status > 299) {
      fetched.discard();
      const advice = 'Name the sitemap by its URL, which ends with .xml or .txt, or use --depth.';
      throw new RequestError('status', `the status is ${fetched.status}`, advice);
    }
    yield* locationsIn(limited(decompressed(fetched.body)));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError(error.kind, `${file.href}: ${error.message}`, error.advice, { cause: error });
  }
}

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxSitemapBytes) {
      throw new RequestError('limit', `it has more than ${Math.round(maxSitemapBytes / 1e6)} MB`, 'Split it.');
    }
    yield chunk;
  }
}

/** Yields a file, decompressed if it begins with the magic number of gzip. */
async function* decompressed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const start = await iterator.next();
  if (start.done) return;
  const first = start.value;
  const all = async function* (): AsyncGenerator<Uint8Array> {
    yield first;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  try {
    if (first[0] === 0x1f && first[1] === 0x8b) yield* unzipped(all());
    else yield* all();
  } catch (cause) {
    if (cause instanceof RequestError) throw cause;
    throw new RequestError('invalid', 'its compression is invalid', 'Check the sitemap.', { cause });
  } finally {
    await iterator.return?.();
  }
}

/** Uses `pipeline`, because `pipe` does not forward errors of the source. */
const unzipped = (chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  pipeline(Readable.from(chunks), createGunzip(), () => undefined);

interface Location {
  /** Whether the URL is the URL of a page or of another sitemap. */
  readonly kind: 'url' | 'sitemap';
  readonly text: string;
}

interface Reader {
  readonly write: (text: string) => readonly Location[];
  readonly end: () => readonly Location[];
}

/** Parses a sitemap as it arrives: XML, or one URL on each line. https://www.sitemaps.org/protocol.html#otherformats */
async function* locationsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Location[]> {
  const decoder = new TextDecoder();
  let reader: Reader | undefined;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (!reader && text.trim() === '') continue;
    reader ??= text.trimStart().startsWith('<') ? xmlReader() : textReader();
    yield reader.write(text);
  }
  if (reader) yield reader.end();
}

function textReader(): Reader {
  let line = 1;
  let rest = '';
  const refuse = (): never => {
    const reason = `it is not a sitemap: it is not XML, and its line ${line} is not a URL`;
    throw new RequestError('invalid', reason, 'Name the URL of a sitemap, or use --depth.');
  };
  const read = (untrimmed: string): readonly Location[] => {
    const text = untrimmed.trim();
    if (text !== '' && !/^https?:\/\/\S+$/i.test(text)) refuse();
    line++;
    return text === '' ? [] : [{ kind: 'url', text }];
  };
  return {
    write: (text) => {
      const lines = (rest + text).split(/\r\n?|\n/);
      rest = lines.pop() ?? '';
      const found = lines.flatMap(read);
      if (rest.length > 2 * maxPathLength) refuse();
      return found;
    },
    end: () => read(rest),
  };
}

const kinds: Readonly<Partial<Record<string, Location['kind']>>> = {
  'urlset/url/loc': 'url',
  'sitemapindex/sitemap/loc': 'sitemap',
};

function xmlReader(): Reader {
  const parser = sax.parser(true);
  const open: string[] = [];
  const found: Location[] = [];
  let text = '';
  parser.onerror = ({ message }) => {
    throw new RequestError('invalid', `it is not valid XML (${message.slice(0, 200)})`, 'Check the sitemap.');
  };
  parser.onopentag = (tag) => {
    const name = tag.name.replace(/^.*:/, '');
    if (open.length === 0 && !['urlset', 'sitemapindex'].includes(name)) {
      const advice = 'Name the URL of a sitemap, or use --depth.';
      throw new RequestError('invalid', `it is not a sitemap: its root is <${name.slice(0, 50)}>`, advice);
    }
    if (open.push(name) > maxSitemapDepth) {
      throw new RequestError('invalid', `its elements have more than ${maxSitemapDepth} levels`, 'Check the sitemap.');
    }
    text = '';
  };
  parser.ontext = parser.oncdata = (added) => {
    if (text.length <= maxPathLength) text += added;
  };
  parser.onclosetag = () => {
    const kind = kinds[open.join('/')];
    if (kind) found.push({ kind, text: text.trim() });
    open.pop();
    text = '';
  };
  return {
    write: (added) => {
      parser.write(added);
      return found.splice(0);
    },
    end: () => {
      parser.close();
      return found.splice(0);
    },
  };
}
