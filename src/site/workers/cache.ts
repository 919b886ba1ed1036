import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { maxResultLength } from '../limits.js';
import type { PageContent } from '../pages/may-contain-tools.js';
import { reasonOf } from '../usage-error.js';

/**
 * A cache of page results by content: one file per result, in a folder that processes can share.
 *
 * Files are written in place. A checksum detects incomplete files, and concurrent writers of a file write the same
 * text.
 */
export interface PageCache {
  /** The key of a page; undefined if it would not be unique. */
  readonly keyOf: (content: PageContent) => string | undefined;
  readonly get: (key: string) => string | undefined;
  readonly set: (key: string, text: string) => void;
  /** Deletes old entries. Returns the reason if the cache could not be written. */
  readonly close: () => Promise<string | undefined>;
}

/** @param salt - identifies everything else that the results depend on */
export function openCache(folder: string, salt: string): PageCache {
  let writeError: string | undefined;
  return {
    keyOf: (content) =>
      isWellFormed(content)
        ? createHash('sha256').update(`${salt}\0`).update(withoutMark(content)).digest('hex')
        : undefined,
    get: (key) => readEntry(fileOf(folder, key), key),
    set: (key, text) => {
      if (writeError !== undefined) return;
      try {
        writeEntry(fileOf(folder, key), key, text);
      } catch (error) {
        writeError = reasonOf(error);
      }
    },
    close: async () => {
      if (writeError === undefined) await deleteOldEntries(folder).catch(() => undefined);
      return writeError;
    },
  };
}

/**
 * Lone surrogates, which JSON strings may contain, all have the same UTF-8 encoding. The escape character begins characters of
 * ISO-2022-JP in files, but not in strings.
 */
const isWellFormed = (content: PageContent): boolean =>
  typeof content === 'string' ? !/\p{Surrogate}/u.test(content) : !content.includes(0x1b);

/** Decoding bytes removes the byte order mark; strings are compiled unchanged. */
function withoutMark(content: PageContent): PageContent {
  if (typeof content === 'string') return content;
  const hasMark = content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf;
  return hasMark ? content.subarray(3) : content;
}

const fileOf = (folder: string, key: string): string => join(folder, key.slice(0, 2), key.slice(2));

const checksum = (key: string, text: string): string => createHash('sha256').update(`${key}\n${text}`).digest('hex');

/** An entry is a result in UTF-8 with its checksum. */
const maxEntryBytes = 4 * maxResultLength;

function readEntry(file: string, key: string): string | undefined {
  try {
    const found = statSync(file);
    if (!found.isFile() || found.size > maxEntryBytes) return undefined;
    const [, sum, text = ''] = /^([\da-f]{64})\n(.*)$/s.exec(readFileSync(file, 'utf8')) ?? [];
    if (sum !== checksum(key, text)) return undefined;
    markUsed(file, found.mtimeMs);
    return text;
  } catch {
    return undefined;
  }
}

function writeEntry(file: string, key: string, text: string): void {
  const entry = `${checksum(key, text)}\n${text}`;
  try {
    writeFileSync(file, entry);
  } catch {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entry);
  }
}

const dayMs = 24 * 60 * 60 * 1000;
const isOlder = (timeMs: number, days: number): boolean => Date.now() - timeMs > days * dayMs;

/** Stores the day of the last use as the modification time. */
function markUsed(file: string, mtimeMs: number): void {
  try {
    if (isOlder(mtimeMs, 1)) utimesSync(file, new Date(), new Date());
  } catch {
    // The cache may be read-only.
  }
}

/** Deletes the entries that were not used for a month, at most once a day. */
async function deleteOldEntries(folder: string): Promise<void> {
  const mark = join(folder, 'swept');
  const last = await stat(mark).catch(() => ({ mtimeMs: 0 }));
  if (!isOlder(last.mtimeMs, 1)) return;
  writeFileSync(mark, '');
  for (const part of await readdir(folder)) {
    if (!/^[\da-f]{2}$/.test(part)) continue;
    for (const name of await readdir(join(folder, part))) {
      const file = join(folder, part, name);
      if (/^[\da-f]{62}$/.test(name) && isOlder((await stat(file)).mtimeMs, 30)) await rm(file, { force: true });
    }
  }
}
