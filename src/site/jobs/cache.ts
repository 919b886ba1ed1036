import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonOf } from '../usage-error.js';
import type { PageContent } from '../pages/may-hold-tools.js';

/**
 * What was made of pages before, by their content: a file for each in a folder that several programs may use at once.
 *
 * A file is written in its place: whoever reads it half written, cut or changed sees that by its checksum and takes it for
 * missing, and two programs that write one write the same.
 */
export interface PageCache {
  /** The key of a page; none where different pages would share one. */
  readonly keyOf: (content: PageContent) => string | undefined;
  /** The text that was kept under the key. */
  readonly get: (key: string) => string | undefined;
  readonly put: (key: string, text: string) => void;
  /** Why it takes no more texts, if so. */
  readonly trouble: () => string | undefined;
  /** Drops what was not used for a month, at most once a day. */
  readonly sweep: () => Promise<void>;
}

/** @param salt - what the texts depend on besides the pages */
export function openCache(folder: string, salt: string): PageCache {
  let trouble: string | undefined;
  const attempt = (change: () => void): void => {
    try {
      if (trouble === undefined) change();
    } catch (error) {
      trouble = reasonOf(error);
    }
  };
  return {
    keyOf: (content) =>
      isWellFormed(content)
        ? createHash('sha256').update(`${salt}\0`).update(asCompiled(content)).digest('hex')
        : undefined,
    get: (key) => readEntry(join(folder, placeOf(key)), key),
    put: (key, text) => attempt(() => writeEntry(join(folder, placeOf(key)), key, text)),
    trouble: () => trouble,
    sweep: () => (trouble === undefined ? sweep(folder).catch(() => undefined) : Promise.resolve()),
  };
}

/** Halves of surrogate pairs, which a line of JSON may hold, are all the same in UTF-8. */
const isWellFormed = (content: PageContent): boolean => typeof content !== 'string' || !/\p{Surrogate}/u.test(content);

/** Bytes are decoded without their byte order mark, and strings are compiled as they are. */
function asCompiled(content: PageContent): PageContent {
  if (typeof content === 'string') return content;
  const hasMark = content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf;
  return hasMark ? content.subarray(3) : content;
}

const placeOf = (key: string): string => join(key.slice(0, 2), key.slice(2));

const checksum = (key: string, text: string): string => createHash('sha256').update(`${key}\n${text}`).digest('hex');

function readEntry(file: string, key: string): string | undefined {
  try {
    const entry = readFileSync(file, 'utf8');
    const end = entry.indexOf('\n');
    const text = entry.slice(end + 1);
    if (entry.slice(0, Math.max(end, 0)) !== checksum(key, text)) return undefined;
    keepYoung(file);
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

const day = 24 * 60 * 60 * 1000;
const isOlder = (time: number, days: number): boolean => Date.now() - time > days * day;

/** A file's time says when it was used last, to the day. */
function keepYoung(file: string): void {
  try {
    if (isOlder(statSync(file).mtimeMs, 1)) utimesSync(file, new Date(), new Date());
  } catch {
    // A cache that may only be read is a cache all the same.
  }
}

async function sweep(folder: string): Promise<void> {
  const mark = join(folder, 'swept');
  const last = await stat(mark).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (!isOlder(last, 1)) return;
  writeFileSync(mark, '');
  for (const part of await readdir(folder)) if (/^[\da-f]{2}$/.test(part)) await sweepPart(join(folder, part));
}

async function sweepPart(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (/^[\da-f]{62}$/.test(name) && isOlder((await stat(file)).mtimeMs, 30)) await rm(file, { force: true });
  }
}
