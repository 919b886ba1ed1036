import { resolve } from 'node:path';
import type { ProfileName, Sensitive } from '../../compiler/index.js';
import { findPages, type PageInput, type Site } from '../../site/pages/find-pages.js';
import { jsonText } from '../../site/json-record.js';
import {
  createManifest,
  saysSomething,
  type Manifest,
  type ManifestOptions,
  type ManifestPage,
} from '../../site/manifest/manifest.js';
import { sinkBeside } from '../../site/output.js';
import { findRecords, readRecords, type RecordInput } from '../../site/pages/read-records.js';
import { count, diagnosticLines, nothing, summary, tell, warningLines, type Tally } from '../../site/report.js';
import { cacheIn, compileInOrder, endCache, type UncompiledPage } from '../../site/jobs/compile-pages.js';
import { manifestText, whole } from '../../site/manifest/manifest-text.js';
import { progressOf } from '../../site/jobs/progress.js';
import { readInputs } from '../../site/pages/read-inputs.js';
import { jobsFor } from '../../site/jobs/work-in-order.js';
import { siteWords } from '../../site/manifest/site-metadata.js';
import type { Surroundings } from '../../site/surroundings.js';
import { UsageError } from '../../site/usage-error.js';

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
  readonly check?: true;
  readonly jobs?: number;
  readonly cache?: string;
}

/** What a run found. */
export interface Compiled extends Tally {
  /** Whether the file that was checked is not what would be written. */
  readonly isStale: boolean;
}

/** Compiles what the paths name, writes it, and returns how much it was. */
export async function compile(
  paths: readonly string[],
  flags: CompileFlags,
  surroundings: Surroundings,
): Promise<Compiled> {
  const run: Run = { flags, ...surroundings, tally: nothing, isStale: false };
  if (flags.check && flags.out === undefined)
    throw new UsageError('--check needs --out: name the manifest that is to be checked');
  await (flags.ndjson ? compileRecords(paths, run) : compileSite(paths, run));
  await tell(run.stderr, `webmcp-forms: ${summary(run.tally)}${outcome(run)}\n`);
  return { ...run.tally, isStale: run.isStale };
}

function outcome({ flags: { out, check }, isStale }: Run): string {
  if (out === undefined || isStale) return '';
  return check ? `, and ${out} says so` : `, written to ${out}`;
}

/** One run of the command. */
interface Run extends Surroundings {
  readonly flags: CompileFlags;
  tally: Tally;
  isStale: boolean;
}

async function compileSite(paths: readonly string[], run: Run): Promise<void> {
  const { folder, pages: inputs } = await findSite(paths, run);
  const sink = sinkBeside(inputs, run.flags.out, run);
  if (run.flags.check) {
    const { isFresh } = await import('./compile-check.js');
    run.isStale = !(await isFresh(await manifestOf(folder, inputs, run), fileOf(run), run));
  } else {
    const text = manifestText(await manifestOptions(folder, run), compileSources(inputs, run));
    await sink(run.flags.out === undefined ? await whole(text) : text);
  }
}

const fileOf = ({ flags: { out = '' }, cwd }: Run): { readonly at: string; readonly file: string } => ({
  at: resolve(cwd, out),
  file: out,
});

/** The manifest of the pages that paths name; their diagnostics are told. */
export async function compilePages(
  paths: readonly string[],
  flags: CompileFlags,
  surroundings: Surroundings,
): Promise<Manifest> {
  const run: Run = { flags, ...surroundings, tally: nothing, isStale: false };
  const { folder, pages } = await findSite(paths, run);
  return manifestOf(folder, pages, run);
}

async function findSite(paths: readonly string[], { cwd, stdin, stderr }: Run): Promise<Site> {
  if (paths.length === 0)
    throw new UsageError('no PATH is given: name a file, a folder, a glob, or - for standard input');
  const site = await findPages(paths, cwd, stdin);
  await tell(stderr, warningLines(site.warnings));
  return site;
}

async function manifestOf(folder: string, inputs: readonly PageInput[], run: Run): Promise<Manifest> {
  const options = await manifestOptions(folder, run);
  const pages: ManifestPage[] = [];
  for await (const page of compileSources(inputs, run)) if (saysSomething(page)) pages.push(page);
  return createManifest(pages, options);
}

/** What a manifest says besides its pages; `folder` is where its package.json is looked for. */
export async function manifestOptions(
  folder: string,
  { flags, cwd }: Pick<Run, 'flags' | 'cwd'>,
): Promise<ManifestOptions> {
  const { name, description, manifestVersion: version } = flags;
  const words = await siteWords(folder, cwd, {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(version !== undefined && { version }),
  });
  return { ...words, ...schemaOptions(flags) };
}

const compileSources = (inputs: readonly PageInput[], run: Run): AsyncGenerator<ManifestPage> =>
  compileEach(sourcesOf(inputs), run, inputs.length);

async function* sourcesOf(inputs: readonly PageInput[]): AsyncGenerator<UncompiledPage> {
  for await (const { input, content } of readInputs(inputs)) {
    const { path, file } = input;
    yield { path, file, where: file, content };
  }
}

async function compileRecords(paths: readonly string[], run: Run): Promise<void> {
  const inputs = await findRecords(paths, run.cwd, run.stdin);
  await sinkBeside(inputs, run.flags.out, run)(lines(compileEach(recordsOf(inputs), run)));
}

async function* recordsOf(inputs: readonly RecordInput[]): AsyncGenerator<UncompiledPage> {
  for (const input of inputs)
    for await (const { html, ...names } of readRecords(input)) yield { ...names, content: html };
}

async function* lines(pages: AsyncIterable<ManifestPage>): AsyncGenerator<string> {
  for await (const page of pages) yield `${jsonText(page)}\n`;
}

/** Compiles page by page, as they are asked for, and tells what is wrong with each; the number of pages may be unknown. */
async function* compileEach(
  sources: AsyncIterable<UncompiledPage>,
  run: Run,
  total?: number,
): AsyncGenerator<ManifestPage> {
  const { flags, stderr, cwd } = run;
  const options = schemaOptions(flags);
  const cache = flags.cache === undefined ? undefined : cacheIn(flags.cache, cwd, options);
  const progress = progressOf(run, total);
  try {
    for await (const { file, page, warnings } of compileInOrder(sources, {
      jobs: flags.jobs ?? jobsFor(total),
      cache,
      options,
    })) {
      run.tally = count(run.tally, page);
      const lines = warningLines(warnings) + diagnosticLines(file, page);
      if (lines !== '') progress.clear();
      await tell(stderr, lines);
      yield page;
      progress.show(run.tally.pages);
    }
  } finally {
    progress.clear();
  }
  await endCache(cache, flags.cache, stderr);
}

const schemaOptions = ({ profile, sensitive }: CompileFlags): Pick<CompileFlags, 'profile' | 'sensitive'> => ({
  profile,
  ...(sensitive && { sensitive }),
});
