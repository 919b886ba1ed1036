import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ProfileName, Sensitive } from '../compiler/index.js';
import { findPages, type PageInput } from './find-pages.js';
import { createManifest, saysSomething, type ManifestPage } from './manifest.js';
import { fileSink, streamSink, type Sink } from './output.js';
import { compileSource, type PageSource } from './page-source.js';
import { findRecords, readRecords, type RecordInput } from './read-records.js';
import { count, diagnosticLines, nothing, summary, tell, type Tally } from './report.js';
import { siteWords } from './site-words.js';
import { UsageError } from './usage-error.js';

/** Where a program reads, writes and looks up relative paths. */
export interface Surroundings {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** An absolute path. */
  readonly cwd: string;
}

/** The options of `webmcp-forms compile`. */
export interface CompileFlags {
  readonly profile: ProfileName;
  readonly sensitive?: Sensitive;
  readonly name?: string;
  readonly description?: string;
  readonly manifestVersion?: string;
  readonly strict?: true;
  readonly out?: string;
  readonly ndjson?: true;
}

/** Compiles what the paths name, writes it, and returns how much it was. */
export async function compile(
  paths: readonly string[],
  flags: CompileFlags,
  surroundings: Surroundings,
): Promise<Tally> {
  const run: Run = { flags, ...surroundings, tally: nothing };
  await (flags.ndjson ? compileRecords(paths, run) : compileSite(paths, run));
  const destination = flags.out === undefined ? '' : `, written to ${flags.out}`;
  await tell(run.stderr, `webmcp-forms: ${summary(run.tally)}${destination}\n`);
  return run.tally;
}

/** One run of the command. */
interface Run extends Surroundings {
  readonly flags: CompileFlags;
  tally: Tally;
}

async function compileSite(paths: readonly string[], run: Run): Promise<void> {
  const { flags, cwd } = run;
  if (paths.length === 0)
    throw new UsageError('no PATH is given: name a file, a folder, a glob, or - for standard input');
  const { folder, pages: inputs } = await findPages(paths, cwd, run.stdin);
  const sink = sinkBeside(inputs, run);
  const { name, description, manifestVersion: version } = flags;
  const words = await siteWords(folder, cwd, {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(version !== undefined && { version }),
  });
  const pages: ManifestPage[] = [];
  for await (const page of compileEach(sourcesOf(inputs), run)) if (saysSomething(page)) pages.push(page);
  await sink([`${JSON.stringify(createManifest(pages, { ...words, ...schemaOptions(flags) }), null, 2)}\n`]);
}

async function* sourcesOf(inputs: readonly PageInput[]): AsyncGenerator<PageSource> {
  for (const { path, file, read } of inputs) yield { path, html: await read(), file, where: file };
}

async function compileRecords(paths: readonly string[], run: Run): Promise<void> {
  const inputs = await findRecords(paths, run.cwd, run.stdin);
  await sinkBeside(inputs, run)(lines(compileEach(recordsOf(inputs), run)));
}

async function* recordsOf(inputs: readonly RecordInput[]): AsyncGenerator<PageSource> {
  for (const input of inputs) yield* readRecords(input);
}

async function* lines(pages: AsyncIterable<ManifestPage>): AsyncGenerator<string> {
  for await (const page of pages) yield `${JSON.stringify(page)}\n`;
}

/** Compiles page by page, as they are asked for, and tells what is wrong with each. */
async function* compileEach(sources: AsyncIterable<PageSource>, run: Run): AsyncGenerator<ManifestPage> {
  for await (const source of sources) {
    const page = compileSource(source, schemaOptions(run.flags));
    run.tally = count(run.tally, page);
    await tell(run.stderr, diagnosticLines(source.file, page));
    yield page;
  }
}

const schemaOptions = ({ profile, sensitive }: CompileFlags): Pick<CompileFlags, 'profile' | 'sensitive'> => ({
  profile,
  ...(sensitive && { sensitive }),
});

/** The place to write to, which is none of the inputs. */
function sinkBeside(inputs: readonly { readonly at: string | null }[], { flags, cwd, stdout }: Run): Sink {
  if (flags.out === undefined) return streamSink(stdout);
  const at = resolve(cwd, flags.out);
  if (inputs.every((input) => input.at !== at)) return fileSink(at, flags.out);
  throw new UsageError(`cannot write ${flags.out}: it is one of the inputs: give --out another file`);
}
