import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { Manifest } from '../../../src/build.js';
import { atEnd } from '../at-end.js';
import { until } from '../until.js';
import { run as runForms } from '../../../src/cli/cli.js';

/** The outcome of a run of the program. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Chunk = Uint8Array | string;

export interface RunOptions {
  readonly cwd: string;
  readonly stdin?: Iterable<Chunk> | AsyncIterable<Chunk>;
  /** @default the function of `webmcp-forms` */
  readonly run?: typeof runForms;
}

/** A stream that stores its input. */
export class Collector extends Writable {
  readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }
}

/** Removes the progress, which the program prints on a slow machine, from its standard error. */
export const withoutProgress = (stderr: string): string => stderr.replaceAll(/^webmcp-forms: .* per second.*\n/gm, '');

/** Runs the program within this process. Its errors are returned without the progress. */
export async function runInProcess(
  argv: readonly string[],
  { cwd, stdin = [], run = runForms }: RunOptions,
): Promise<Outcome> {
  const stdout = new Collector();
  const stderr = new Collector();
  const bytes = Readable.from(stdin, { objectMode: false });
  const code = await run(argv, { stdin: bytes, stdout, stderr, cwd });
  return { code, stdout: stdout.text, stderr: withoutProgress(stderr.text) };
}

interface Terminal extends PassThrough {
  isTTY?: boolean;
  setRawMode?: () => void;
}

/** Runs the program in a terminal, and answers each question with keys. */
export async function answerQuestions(
  argv: readonly string[],
  cwd: string,
  answers: readonly (readonly [question: RegExp, keys: string])[],
): Promise<Outcome> {
  const stdin: Terminal = new PassThrough();
  const stdout = new Collector();
  const stderr = new Collector();
  Object.assign(stdin, { isTTY: true, setRawMode: () => undefined });
  Object.assign(stdout, { isTTY: true, columns: 120, rows: 60, hasColors: () => false });
  const done = runForms(argv, { stdin, stdout, stderr, cwd });
  let seen = 0;
  for (const [question, keys] of answers) {
    await until(() => question.test(stdout.text.slice(seen)));
    seen = stdout.text.length;
    stdin.write(keys);
  }
  return { code: await done, stdout: stdout.text, stderr: stderr.text };
}

/** The manifest of a run that succeeded. */
export async function manifestOf(argv: readonly string[], options: RunOptions): Promise<Manifest> {
  const { code, stdout, stderr } = await runInProcess(argv, options);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout) as Manifest;
}

/** Creates a temporary folder with these files, and removes it after the test. */
export async function makeFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-build-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** A form that is a tool without diagnostics. */
export const toolForm = (name: string, controls = '<label>Words <input name="q"></label>'): string =>
  `<form toolname="${name}" tooldescription="Does ${name}.">${controls}<button>Go</button></form>`;
