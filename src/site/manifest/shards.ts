import { closeSync, createReadStream, openSync, readSync, unlinkSync } from 'node:fs';
import { mkdtemp, open, rm, stat, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { findRecords, readLines, type Line, type RecordInput } from '../pages/read-records.js';
import { throwReadError } from '../pages/read-text.js';
import type { Manifest } from './manifest.js';
import { readManifest } from './read-manifest.js';

/** A file of lines that can be read more than once. */
export interface Shard {
  readonly file: string;
  /** The file's absolute path; null for standard input. */
  readonly at: string | null;
  readonly lines: () => AsyncIterable<Line>;
  readonly read: (line: Pick<Line, 'start' | 'length'>) => Uint8Array;
  readonly close: () => Promise<void>;
  /** The manifest whose pages are the lines. */
  readonly manifest?: Manifest;
}

/** The pages of a manifest as lines. The offset of each line is its index. */
export function manifestShard(manifest: Manifest, file: string, at: string | null): Shard {
  const lines = manifest.pages.map((page) => Buffer.from(JSON.stringify(page)));
  return {
    file,
    at,
    manifest,
    lines: () =>
      Readable.from(lines.map((bytes, start) => ({ number: start + 1, start, length: bytes.length, bytes }))),
    read: ({ start }) => lines[start] as Buffer,
    close: () => Promise.resolve(),
  };
}

/** Opens the shards and manifests that the PATHs name. Standard input and pipes are copied to a temporary file. */
export async function openShards(
  paths: readonly string[],
  cwd: string,
  stdin: AsyncIterable<Uint8Array>,
): Promise<readonly Shard[]> {
  const shards: Shard[] = [];
  try {
    for (const input of await findRecords(paths, cwd, stdin)) shards.push(await openShard(input));
    return shards;
  } catch (cause) {
    await closeShards(shards);
    throw cause;
  }
}

export const closeShards = async (shards: readonly Shard[]): Promise<void> => {
  for (const shard of shards) await shard.close();
};

/** Opens the file for each read, because the number of shards may exceed the limit of open files. */
async function openShard(input: RecordInput): Promise<Shard> {
  const { at, file } = input;
  if (at === null || !(await stat(at)).isFile()) return copyShard(input);
  if (await isManifest(at, file)) return manifestShard(await readManifest(at, dirname(at), file), file, at);
  return {
    file,
    at,
    lines: () => readLines(createReadStream(at), file),
    read: (line) => {
      const fd = openSync(at, 'r');
      try {
        return readBytes(fd, line);
      } finally {
        closeSync(fd);
      }
    },
    close: () => Promise.resolve(),
  };
}

const maxStartBytes = 1000;

/** Whether a file begins like a manifest. NDJSON begins with the path of a page. */
async function isManifest(at: string, file: string): Promise<boolean> {
  try {
    const handle = await open(at);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxStartBytes), 0, maxStartBytes, 0);
      return /^\uFEFF?\s*\{\s*"manifestVersion"\s*:/.test(buffer.toString('utf8', 0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throwReadError(file, cause);
  }
}

async function copyShard({ file, at, open: openInput }: RecordInput): Promise<Shard> {
  const copy = await openUnlinked();
  try {
    for await (const chunk of openInput()) await copy.write(chunk);
  } catch (cause) {
    await copy.close();
    throwReadError(file, cause);
  }
  return {
    file,
    at,
    lines: () => readLines(copy.createReadStream({ start: 0, autoClose: false }), file),
    read: (line) => readBytes(copy.fd, line),
    close: () => copy.close(),
  };
}

/** Opens an unlinked temporary file, which the system deletes when this process ends. */
async function openUnlinked(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-'));
  const path = join(folder, 'lines');
  const handle = await open(path, 'wx+');
  unlinkSync(path);
  await rm(folder, { recursive: true });
  return handle;
}

function readBytes(fd: number, { start, length }: Pick<Line, 'start' | 'length'>): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const count = readSync(fd, bytes, done, length - done, start + done);
    if (count === 0) break;
    done += count;
  }
  return bytes;
}
