import { closeSync, createReadStream, openSync, readSync, unlinkSync } from 'node:fs';
import { mkdtemp, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findRecords, linesOf, type RecordInput } from '../pages/read-records.js';
import { cannotRead } from '../pages/read-text.js';
import type { Surroundings } from '../surroundings.js';

/** A file of lines, of which each can be read again. */
export interface Shard {
  /** What a person calls it. */
  readonly file: string;
  /** The file's absolute path; null for standard input. */
  readonly at: string | null;
  readonly lines: () => AsyncIterable<Line>;
  readonly read: (place: Place) => Uint8Array;
  readonly close: () => Promise<void>;
}

/** Where a line stands in its file, in bytes. */
export interface Place {
  readonly start: number;
  readonly length: number;
}

export interface Line extends Place {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** The shards that PATHs name. What can be read only once, as standard input and pipes, is kept in a file until the end. */
export async function openShards(paths: readonly string[], surroundings: Surroundings): Promise<readonly Shard[]> {
  const { cwd, stdin } = surroundings;
  const shards: Shard[] = [];
  try {
    for (const input of await findRecords(paths, cwd, stdin)) shards.push(await openShard(input));
    return shards;
  } catch (cause) {
    await closeAll(shards);
    throw cause;
  }
}

export const closeAll = async (shards: readonly Shard[]): Promise<void> => {
  for (const shard of shards) await shard.close();
};

async function openShard(input: RecordInput): Promise<Shard> {
  const { at, file } = input;
  if (at === null || !(await stat(at)).isFile()) return spooled(input);
  return {
    file,
    at,
    lines: () => numbered(createReadStream(at), file),
    read: (place) => readFrom(at, place),
    close: () => Promise.resolve(),
  };
}

/** The file has no name while it is in use, so that nothing of it is left whatever happens. */
async function spooled({ file, at, open: openInput }: RecordInput): Promise<Shard> {
  const spool = await openNameless();
  try {
    for await (const chunk of openInput()) await spool.write(chunk);
  } catch (cause) {
    await spool.close();
    cannotRead(file, cause);
  }
  return {
    file,
    at,
    lines: () => numbered(spool.createReadStream({ start: 0, autoClose: false }), file),
    read: (place) => readAt(spool.fd, place),
    close: () => spool.close(),
  };
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-'));
  const at = resolve(folder, 'lines');
  const handle = await open(at, 'wx+');
  unlinkSync(at);
  await rm(folder, { recursive: true });
  return handle;
}

async function* numbered(stream: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Line> {
  let number = 0;
  let start = 0;
  try {
    for await (const bytes of linesOf(stream)) {
      yield { number: ++number, start, length: bytes.length, bytes };
      start += bytes.length + 1;
    }
  } catch (cause) {
    cannotRead(file, cause);
  }
}

function readFrom(at: string, place: Place): Uint8Array {
  const fd = openSync(at, 'r');
  try {
    return readAt(fd, place);
  } finally {
    closeSync(fd);
  }
}

function readAt(fd: number, { start, length }: Place): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const read = readSync(fd, bytes, done, length - done, start + done);
    if (read === 0) break;
    done += read;
  }
  return bytes;
}
