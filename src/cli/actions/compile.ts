import { resolve } from 'node:path';
import type { Diagnostic } from '../../compiler/index.js';
import { maxUnreadableLines } from '../../site/limits.js';
import { joinPages } from '../../site/manifest/join-pages.js';
import {
  createManifest,
  hasContent,
  manifestText,
  type Manifest,
  type ManifestOptions,
  type ManifestPage,
} from '../../site/manifest/manifest.js';
import { readSiteMetadata } from '../../site/manifest/site-metadata.js';
import type { Sink } from '../../site/output.js';
import { readInputs, type PageInput, type Site } from '../../site/pages/find-pages.js';
import { findRecords, readRecords, type RecordInput } from '../../site/pages/read-records.js';
import { oneLine, printableJson } from '../../site/printable.js';
import { addPage, emptyTally, summaryOf, type Tally } from '../../site/tally.js';
import { isUrl } from '../../site/url.js';
import { UsageError } from '../../site/usage-error.js';
import {
  compilePages,
  openPageCache,
  type CompiledPage,
  type UncompiledPage,
  type UnreadableLine,
} from '../../site/workers/compile-pages.js';
import { processOptions, type ProcessFlags } from '../../site/workers/process-pages.js';
import type { CliContext } from '../program.js';
import type { ManifestFlags } from '../options.js';
import { createProgress, openOutput, warningLines, writeMessage, writtenTo } from '../output.js';
import { findInputs, type ServedFlags } from './find-inputs.js';

export interface CompileFlags extends ManifestFlags, ServedFlags, ProcessFlags {
  readonly ndjson?: true;
  readonly check?: true;
  readonly cache?: string;
}

interface CompileResult extends Tally {
  /** The number of pages and lines that could not be compiled. */
  readonly unreadable: number;
  /** Whether `--check` found that the file is not up to date. */
  readonly isStale: boolean;
}

interface Run extends CliContext {
  readonly flags: CompileFlags;
  /** The number of fetched pages that may be logins, and the first such page. */
  readonly logins: { count: number; first?: string };
  tally: Tally;
  unreadablePages: number;
  unreadableLines: number;
}

const startRun = (flags: CompileFlags, context: CliContext): Run => ({
  flags,
  ...context,
  logins: { count: 0 },
  tally: emptyTally,
  unreadablePages: 0,
  unreadableLines: 0,
});

export async function compile(
  paths: readonly string[],
  flags: CompileFlags,
  context: CliContext,
): Promise<CompileResult> {
  const run = startRun(flags, context);
  const { out, check, ndjson } = flags;
  if (check && out === undefined) throw new UsageError('--check needs --out. Name the manifest to check.');
  const isStale = !(await (ndjson ? compileRecords(paths, run) : compileSite(paths, run)));
  const summary = summaryOf(run.tally);
  const isFresh = check && !isStale;
  const message = isFresh ? `${out} is up to date (${summary})` : `${summary}${check ? '' : writtenTo(out)}`;
  await writeMessage(run.stderr, `webmcp-forms: ${message}\n`);
  return { ...run.tally, unreadable: run.unreadablePages + run.unreadableLines, isStale };
}

/** Returns false if `--check` finds an outdated manifest. */
async function compileSite(paths: readonly string[], run: Run): Promise<boolean> {
  const { flags, cwd, stderr } = run;
  const { folder, pages }: Site = await findInputs(paths, flags, run);
  const sink = openOutput(pages, flags.out, run);
  if (flags.check && flags.out !== undefined) {
    const { isUpToDate } = await import('./compile-check.js');
    return isUpToDate(await manifestOf(folder, pages, run), flags.out, resolve(cwd, flags.out), stderr);
  }
  await writeManifest(await manifestOptions(folder, flags, cwd), compileInputs(pages, run), sink, flags.out);
  return true;
}

/** Buffers the manifest for standard output, so that nothing is printed if a page fails. */
export async function writeManifest(
  options: ManifestOptions,
  pages: AsyncIterable<ManifestPage> | Iterable<ManifestPage>,
  sink: Sink,
  out: string | undefined,
): Promise<void> {
  const text = manifestText(options, pages);
  await sink(out === undefined ? await collect(text) : text);
}

async function collect(chunks: AsyncIterable<string>): Promise<readonly string[]> {
  const collected: string[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return collected;
}

/** Compiles a manifest. Also returns the number of pages that could not be compiled. */
export async function compileManifest(
  paths: readonly string[],
  flags: CompileFlags,
  context: CliContext,
): Promise<{ readonly manifest: Manifest; readonly unreadable: number }> {
  const run = startRun(flags, context);
  const { folder, pages } = await findInputs(paths, flags, context);
  const manifest = await manifestOf(folder, pages, run);
  return { manifest, unreadable: run.unreadablePages };
}

async function manifestOf(folder: string, inputs: readonly PageInput[], run: Run): Promise<Manifest> {
  const options = await manifestOptions(folder, run.flags, run.cwd);
  const pages: ManifestPage[] = [];
  for await (const page of compileInputs(inputs, run)) if (hasContent(page)) pages.push(page);
  return createManifest(pages, options);
}

export async function manifestOptions(folder: string, flags: ManifestFlags, cwd: string): Promise<ManifestOptions> {
  const { name, description, manifestVersion: version } = flags;
  return { ...(await readSiteMetadata(folder, cwd, { name, description, version })), ...schemaOptions(flags) };
}

/** Compiles pages. The versions of a page before and after the login become one page of the manifest. */
async function* compileInputs(inputs: readonly PageInput[], run: Run): AsyncGenerator<ManifestPage> {
  const remaining = inputs.values();
  let last: ManifestPage | undefined;
  for await (const compiled of compileEach(pagesOfInputs(inputs), run, inputs.length)) {
    const page = remaining.next().value?.isSignedOut ? withSession(compiled) : compiled;
    if (last?.path === page.path) {
      last = await joinReadings(last, page, run);
      continue;
    }
    if (last) yield last;
    last = page;
  }
  if (last) yield last;
}

const withSession = ({ tools, ...page }: ManifestPage): ManifestPage => ({
  ...page,
  tools: tools.map(({ form, ...tool }) => ({ ...tool, session: 'signed-out', ...(form && { form }) })),
});

async function joinReadings(first: ManifestPage, second: ManifestPage, { stderr }: Run): Promise<ManifestPage> {
  const origins = { first: 'the session of the login', second: 'the session before the login' };
  const { page, found } = joinPages(first, second, origins);
  await writeMessage(stderr, diagnosticLines(page.path, found));
  return page;
}

async function* pagesOfInputs(inputs: readonly PageInput[]): AsyncGenerator<UncompiledPage> {
  for await (const { input, content, problem } of readInputs(inputs)) {
    const { path, file, contentLanguage, encoding } = input;
    yield { path, file, where: file, content, problem, contentLanguage, encoding };
  }
}

async function compileRecords(paths: readonly string[], run: Run): Promise<boolean> {
  const url = paths.find(isUrl);
  if (url !== undefined) throw new UsageError(`--ndjson reads lines, and ${url} is the URL of a page. Omit --ndjson.`);
  const inputs = await findRecords(paths, run.cwd, run.stdin);
  await openOutput(inputs, run.flags.out, run)(linesOf(compileEach(pagesOfRecords(inputs), run)));
  await writeMessage(run.stderr, warningLines(loginWarnings(run.logins)));
  return true;
}

async function* pagesOfRecords(inputs: readonly RecordInput[]): AsyncGenerator<UncompiledPage | UnreadableLine> {
  for (const input of inputs)
    for await (const record of readRecords(input)) {
      if ('error' in record) yield { content: '', error: record.error };
      else yield { ...record, file: record.path, content: record.html };
    }
}

/** Warns of login pages. Sites redirect pages that require a login to a login page, which compiles without an error. */
function loginWarnings({ count, first }: Run['logins']): readonly string[] {
  if (first === undefined) return [];
  const others = count > 1 ? `, and ${count - 1} more pages have` : ' has';
  return [
    `"${first}"${others} no tools, but a password input. If the site shows a login instead of the page, fetch the page in the session that the gateway will have.`,
  ];
}

async function* linesOf(pages: AsyncIterable<ManifestPage>): AsyncGenerator<string> {
  for await (const page of pages) yield `${printableJson(page)}\n`;
}

/** Compiles pages lazily, and reports their diagnostics. `total` is undefined for a stream. */
async function* compileEach(
  sources: AsyncIterable<UncompiledPage | UnreadableLine>,
  run: Run,
  total?: number,
): AsyncGenerator<ManifestPage> {
  const { flags, stderr, cwd } = run;
  const options = schemaOptions(flags);
  const cache = flags.cache === undefined ? undefined : openPageCache(flags.cache, cwd, options);
  const progress = createProgress(run, total);
  const limits = processOptions(flags, total);
  try {
    for await (const compiled of compilePages(sources, { ...limits, cache, options })) {
      const lines = reportOf(compiled, run);
      if (lines !== '') progress.clear();
      await writeMessage(stderr, lines);
      if ('page' in compiled) yield compiled.page;
      progress.show(run.tally.pages);
    }
  } finally {
    progress.clear();
  }
  const problem = await cache?.close();
  if (problem !== undefined)
    await writeMessage(
      stderr,
      warningLines([`The cache ${flags.cache} is not writable: ${problem}. It was not used.`]),
    );
}

/** Counts a page, and returns its messages. */
function reportOf(compiled: CompiledPage | UnreadableLine, run: Run): string {
  if ('error' in compiled) {
    if (run.unreadableLines++ < maxUnreadableLines) return warningLines([compiled.error.message]);
    throw new UsageError(`More than ${maxUnreadableLines} lines are unreadable. Name a file of NDJSON.`);
  }
  const { file, page, warnings = [], isLogin, isUnreadable } = compiled;
  run.tally = addPage(run.tally, page);
  if (isLogin && run.logins.count++ === 0) run.logins.first = file;
  if (isUnreadable) run.unreadablePages++;
  return warningLines(warnings) + diagnosticLines(file, page.diagnostics);
}

const schemaOptions = ({ profile, sensitive }: ManifestFlags) => ({ profile, ...(sensitive && { sensitive }) });

export const diagnosticLines = (file: string, diagnostics: readonly Diagnostic[]): string =>
  diagnostics.map((each) => diagnosticLine(file, each)).join('');

function diagnosticLine(file: string, { severity, code, message, location }: Diagnostic): string {
  const place = location ? `${file}:${location.line}:${location.column}` : file;
  return `${oneLine(`${place} ${severity} ${code} ${message}`)}\n`;
}
