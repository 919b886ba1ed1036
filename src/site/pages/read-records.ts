import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isRecord } from '../../json.js';
import { maxLineBytes } from '../limits.js';
import { UsageError } from '../usage-error.js';
import { pathProblem } from './page-path.js';
import { decodeUtf8, throwReadError } from './read-text.js';

/** A stream of NDJSON that has not been opened yet. */
export interface RecordInput {
  readonly file: string;
  /** The file's absolute path; null for standard input. */
  readonly at: string | null;
  readonly open: () => AsyncIterable<Uint8Array>;
}

interface PageRecord {
  /** The path and query of the page's URL. */
  readonly path: string;
  /** The HTTP status that the page was fetched with. */
  readonly status?: number;
  readonly html: string;
  /** The file and the line, for error messages. */
  readonly where: string;
}

/** Finds the streams that the PATHs name. Standard input is the default. */
export async function findRecords(
  paths: readonly string[],
  cwd: string,
  stdin: AsyncIterable<Uint8Array>,
): Promise<readonly RecordInput[]> {
  if (paths.filter((path) => path === '-').length > 1)
    throw new UsageError('- is given twice, but standard input can be read only once. Name it once.');
  const inputs: RecordInput[] = [];
  for (const path of paths.length === 0 ? ['-'] : paths)
    inputs.push(
      path === '-' ? { file: '<stdin>', at: null, open: () => stdin } : await recordFile(path, resolve(cwd, path)),
    );
  return inputs;
}

async function recordFile(file: string, at: string): Promise<RecordInput> {
  const found = await stat(at).catch((cause: unknown) => throwReadError(file, cause));
  if (!found.isDirectory()) return { file, at, open: () => createReadStream(at) };
  throw new UsageError(`Cannot read ${file}: it is a folder. Name files of NDJSON, or - for standard input.`);
}

interface UnreadableRecord {
  readonly error: UsageError;
}

/** Yields the pages of a stream, in order. At most one line and one chunk are in memory. */
export async function* readRecords({ file, open }: RecordInput): AsyncGenerator<PageRecord | UnreadableRecord> {
  for await (const line of readLines(open(), file)) {
    const where = `${file}:${line.number}`;
    const record = readRecord(line, where);
    if (record) yield record;
  }
}

/** Returns undefined for an empty line. */
function readRecord(line: Line, where: string): PageRecord | UnreadableRecord | undefined {
  try {
    const text = decodeUtf8(bytesOf(line, where), where);
    return text.trim() === '' ? undefined : parseRecord(text, where);
  } catch (error) {
    if (error instanceof UsageError) return { error };
    throw error;
  }
}

/** A line of a file, with its place in bytes. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly start: number;
  readonly length: number;
  /** Undefined if the line is too long. */
  readonly bytes: Uint8Array | undefined;
}

/** @throws {UsageError} if the line is too long */
export function bytesOf({ bytes }: Pick<Line, 'bytes'>, where: string): Uint8Array {
  if (bytes) return bytes;
  throw new UsageError(`Cannot read ${where}: the line has more than ${maxLineBytes / 1e6} MB. Split the page.`);
}

export async function* readLines(stream: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Line> {
  let number = 0;
  let start = 0;
  try {
    for await (const { length, bytes } of splitLines(stream)) {
      yield { number: ++number, start, length, bytes };
      start += length + 1;
    }
  } catch (cause) {
    throwReadError(file, cause);
  }
}

const lineFeed = 0x0a;

/** Splits only at line feeds. `node:readline` also splits at U+2028 and U+2029, which JSON strings may contain. */
async function* splitLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Pick<Line, 'length' | 'bytes'>> {
  let line = new PartialLine();
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield line.add(chunk.subarray(start, end));
      line = new PartialLine();
      start = end + 1;
    }
    line.add(chunk.subarray(start));
  }
  yield line;
}

/** An incomplete line. If it is too long, only its length is stored. */
class PartialLine {
  #parts: Uint8Array[] = [];
  length = 0;

  get bytes(): Uint8Array | undefined {
    return this.length > maxLineBytes ? undefined : Buffer.concat(this.#parts);
  }

  add(part: Uint8Array): this {
    this.length += part.length;
    if (this.length > maxLineBytes) this.#parts = [];
    else this.#parts.push(part);
    return this;
  }
}

function parseRecord(line: string, where: string): PageRecord {
  const invalid = (reason: string): UsageError =>
    new UsageError(`Cannot read ${where}: ${reason}. Write a page on each line, {"path":"...","html":"..."}.`);
  const record = parseJson(line, invalid);
  if (!isRecord(record)) throw invalid('it is not a JSON object');
  const [path, html] = ['path', 'html'].map((name) => {
    const value = record[name];
    if (typeof value === 'string') return value;
    throw invalid(value === undefined ? `"${name}" is missing` : `"${name}" is not a string`);
  }) as [string, string];
  const problem = pathProblem(path);
  if (problem !== undefined) throw invalid(`"path" ${problem}`);
  const { status } = record;
  if (status !== undefined && typeof status !== 'number') throw invalid('"status" is not a number');
  const page = { path, html: html.replace(/^\uFEFF/, ''), where }; // without a byte order mark, as for files
  return { ...page, ...(status !== undefined && { status }) };
}

/** @throws the error that `invalid` returns if the text is not JSON */
export function parseJson(text: string, invalid: (reason: string, cause: unknown) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid('it is not valid JSON', cause);
  }
}
