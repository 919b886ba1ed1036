import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PageSource } from './page-source.js';
import { cannotRead, decodeUtf8 } from './read-text.js';
import { reasonOf, UsageError } from '../usage-error.js';

/** A stream of NDJSON that can be opened when its turn comes. */
export interface RecordInput {
  /** What a person opens it by. */
  readonly file: string;
  /** The file's absolute path; null for standard input. */
  readonly at: string | null;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** The streams that PATHs name, in their order; standard input when there are none. */
export async function findRecords(
  paths: readonly string[],
  cwd: string,
  stdin: AsyncIterable<Uint8Array>,
): Promise<readonly RecordInput[]> {
  if (paths.length === 0) return [standardInput(stdin)];
  if (paths.filter((path) => path === '-').length > 1)
    throw new UsageError('- is given twice, and standard input can be read once: name it once');
  const inputs: RecordInput[] = [];
  for (const path of paths)
    inputs.push(path === '-' ? standardInput(stdin) : await recordFile(path, resolve(cwd, path)));
  return inputs;
}

const standardInput = (stdin: AsyncIterable<Uint8Array>): RecordInput => ({
  file: '<stdin>',
  at: null,
  open: () => stdin,
});

async function recordFile(file: string, at: string): Promise<RecordInput> {
  const found = await stat(at).catch((cause: unknown) => cannotRead(file, cause));
  if (!found.isDirectory()) return { file, at, open: () => createReadStream(at) };
  throw new UsageError(`cannot read ${file}: it is a folder: --ndjson takes files of NDJSON, or - for standard input`);
}

/** The pages of an NDJSON stream, in order; empty lines are skipped. No more than a line and a chunk are in memory. */
export async function* readRecords({ file, open }: RecordInput): AsyncGenerator<PageSource> {
  let number = 0;
  for await (const line of linesOf(readable(open(), file))) {
    const where = `${file}:${++number}`;
    const text = decodeUtf8(line, where);
    if (text.trim() !== '') yield parseRecord(text, where);
  }
}

async function* readable(stream: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    throw new UsageError(`cannot read ${file}: ${reasonOf(cause)}: name a file that may be read`, { cause });
  }
}

/** node:readline is no choice: it also ends lines at U+2028 and U+2029, which JSON strings may hold. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
  }
  yield Buffer.concat(begun);
}

const lineFeed = 0x0a;

function parseRecord(line: string, where: string): PageSource {
  const wrong = (what: string): never => {
    throw new UsageError(`cannot read ${where}: ${what}: each line is a page, {"path":"...","html":"..."}`);
  };
  const record = parseJson(line, () => wrong('it is not valid JSON'));
  if (typeof record !== 'object' || record === null) return wrong('it is not a JSON object');
  const { path, html } = record as Readonly<Record<string, unknown>>;
  if (typeof path !== 'string') return wrong(path === undefined ? '"path" is missing' : '"path" is not a string');
  if (typeof html !== 'string') return wrong(html === undefined ? '"html" is missing' : '"html" is not a string');
  return path === '' ? wrong('"path" is empty') : { path, html: withoutMark(html), file: path, where };
}

/** A page that is a string begins as one that is a file does, which is decoded without its byte order mark. */
const withoutMark = (html: string): string => html.replace(/^\uFEFF/, '');

function parseJson(text: string, otherwise: () => never): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise();
  }
}
