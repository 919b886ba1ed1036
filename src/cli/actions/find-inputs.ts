import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ReadSiteOptions, ServedPage } from '../../crawl/index.js';
import { isIncomplete, problemLines, readError, sentencesOf, type PageProblem } from '../../crawl/problem.js';
import { isRecord, parseJson } from '../../json.js';
import { maxConfigBytes } from '../../site/limits.js';
import { findPages, mergeSites, type PageInput, type Site } from '../../site/pages/find-pages.js';
import { decodeUtf8, readBytes, readTextFile } from '../../site/pages/read-text.js';
import { isUrl, parseUrl } from '../../site/url.js';
import { InterruptedError, UsageError } from '../../site/usage-error.js';
import type { CliContext } from '../program.js';
import { createProgress, warningLines, writeMessage } from '../output.js';
import { requestOptions, type RequestFlags } from './request-options.js';

/** The flags of `addServedOptions`. */
export interface ServedFlags extends RequestFlags {
  readonly sitemap?: true;
  readonly depth?: number;
  readonly cookie?: string;
  readonly login?: string;
  readonly loginInput?: string;
  readonly exclude?: readonly string[];
  readonly concurrency?: number;
  readonly maxPages?: number;
  /** In seconds. */
  readonly timeout?: number;
  readonly allowPartial?: true;
  readonly allowPrivate?: true;
  readonly ignoreRobots?: true;
}

/**
 * Finds the pages that PATHs and URLs name, sorted by path, and prints the warnings.
 *
 * @param extensions - the file extensions of pages in folders. By default the extensions of pages
 * @throws {UsageError} if a PATH has no pages, a named URL cannot be read, or two pages have the same path
 */
export async function findInputs(
  paths: readonly string[],
  flags: ServedFlags,
  context: CliContext,
  extensions?: readonly string[],
): Promise<Site> {
  const urls = paths.filter((path) => isUrlArgument(path, context.cwd));
  const files = paths.filter((path) => !urls.includes(path));
  if (urls.length === 0) checkUnused(flags);
  const sites: Site[] = [];
  if (files.length > 0 || urls.length === 0) sites.push(await findPages(files, context.cwd, context.stdin, extensions));
  if (urls.length > 0) sites.push(await servedSite(urls, files, flags, context));
  const site = mergeSites(sites, context.cwd);
  await writeMessage(context.stderr, warningLines(site.warnings));
  return site;
}

/** Whether an argument is a URL and not an existing file, such as a file named `localhost`. */
export const isUrlArgument = (path: string, cwd: string): boolean =>
  isUrl(path) && (/^https?:/i.test(path) || !existsSync(resolve(cwd, path)));

const names: Readonly<Partial<Record<keyof ServedFlags, string>>> = {
  sitemap: '--sitemap',
  depth: '--depth',
  header: '--header',
  cookie: '--cookie',
  login: '--login',
  exclude: '--exclude',
};

/** @throws {UsageError} for a flag that applies only to URLs */
export function checkUnused(flags: ServedFlags): void {
  const [, flag] = Object.entries(names).find(([name]) => flags[name as keyof ServedFlags] !== undefined) ?? [];
  if (flag !== undefined) throw new UsageError(`${flag} is for URLs, and no URL is given. Name one, or omit ${flag}.`);
}

async function servedSite(
  urls: readonly string[],
  files: readonly string[],
  flags: ServedFlags,
  context: CliContext,
): Promise<Site> {
  const { cwd, stderr } = context;
  const { readPages } = await import('../../crawl/index.js');
  const interruption = interruptions();
  const progress = createProgress(context, undefined);
  try {
    const { pages, problems, loginPage } = await readPages(urls.map(hrefOf), {
      ...(await optionsOf(flags, files.includes('-'), context)),
      signal: interruption.signal,
      onPage: progress.show,
      onCrawlDelay: (milliseconds) => void writeMessage(stderr, warningLines([crawlDelayWarning(milliseconds)])),
    });
    progress.clear();
    const { skipped, reason } = decide(problems, { isEmpty: pages.length + files.length === 0, flags, url: urls[0] });
    await writeMessage(stderr, warningLines(problemLines(skipped)));
    if (reason) throw reason;
    const signedOut = loginPage ? [{ ...inputOf(loginPage), isSignedOut: true as const }] : [];
    const inputs = [...pages.map(inputOf), ...problems.flatMap(failedInput), ...signedOut];
    return { folder: cwd, pages: inputs, warnings: hasSession(flags) ? [] : loginWarnings(pages) };
  } finally {
    progress.clear();
    interruption.end();
  }
}

interface Decision {
  readonly skipped: readonly PageProblem[];
  /** The reason why nothing is written. */
  readonly reason?: Error;
}

/**
 * Decides whether the run continues without the pages that cannot be read. It ends if no page can be read. Without
 * --allow-partial, it also ends at a temporary failure of a found page, or of a named page with --depth or --sitemap, because
 * the pages that the named page links to would be missing unnoticed.
 */
function decide(
  problems: readonly PageProblem[],
  {
    isEmpty,
    flags,
    url = '',
  }: { readonly isEmpty: boolean; readonly flags: ServedFlags; readonly url: string | undefined },
): Decision {
  const isNamed = ({ namedPath }: PageProblem): boolean => namedPath !== undefined;
  const failed = isEmpty ? problems.find(isNamed) : undefined;
  if (failed) return { skipped: problems.filter((each) => each !== failed), reason: readError(failed.url, failed) };
  const isFollowing = (flags.depth ?? 0) > 0 || flags.sitemap === true;
  const isMissing = (each: PageProblem): boolean => isIncomplete(each) && (isFollowing || !isNamed(each));
  if (problems.some(isMissing) && !flags.allowPartial) return { skipped: problems, reason: partialError(url) };
  return { skipped: problems.filter((each) => !isNamed(each)) };
}

const inputOf = ({ url, path, read, contentLanguage, encoding }: ServedPage): PageInput => ({
  path,
  file: url,
  at: null,
  read,
  url,
  contentLanguage,
  encoding,
});

/** Converts a named URL that cannot be read to a page with one finding. */
const failedInput = (problem: PageProblem): readonly PageInput[] =>
  problem.namedPath === undefined
    ? []
    : [
        {
          path: problem.namedPath,
          file: problem.url,
          at: null,
          read: () => Promise.resolve(''),
          url: problem.url,
          problem: `Cannot read the page: ${sentencesOf(problem)}`,
        },
      ];

const hasSession = ({ login, cookie, header }: ServedFlags): boolean => (login ?? cookie ?? header) !== undefined;

/** Warns of pages with a password input. Some sites show a login with the status 200 and the URL of the page. */
function loginWarnings(pages: readonly ServedPage[]): readonly string[] {
  const [first, ...others] = pages.filter(({ mayBeLogin }) => mayBeLogin);
  if (!first) return [];
  const more = others.length > 0 ? `, and ${others.length} more pages have` : ' has';
  return [
    `${first.url}${more} a password input. If the site shows a login instead of the page, use --login or --cookie.`,
  ];
}

/** The URL of an argument, such as `localhost:8000` without a scheme. */
function hrefOf(text: string): string {
  const url = parseUrl(text);
  if (url.protocol === 'file:') throw new UsageError('A file is named by its path, not by a URL. Omit file://.');
  return url.href;
}

const crawlDelayWarning = (milliseconds: number): string =>
  `robots.txt asks for ${milliseconds / 1000} s between two requests. For a site of your own, use --ignore-robots.`;

const partialError = (url: string): UsageError =>
  new UsageError(
    `Not all pages of ${url} were read, so nothing is written. Run the command again, or use --allow-partial.`,
  );

/** Ends the requests at the first Ctrl+C. */
function interruptions() {
  const controller = new AbortController();
  const onSignal = (): void => controller.abort(new InterruptedError('Interrupted. Nothing was written.'));
  process.once('SIGINT', onSignal);
  return { signal: controller.signal, end: () => process.removeListener('SIGINT', onSignal) };
}

async function optionsOf(flags: ServedFlags, isInputRead: boolean, context: CliContext): Promise<ReadSiteOptions> {
  const { sitemap, depth, exclude, concurrency, maxPages, timeout, cookie } = flags;
  const { allowPartial, allowPrivate, ignoreRobots } = flags;
  const login = await loginOf(flags, isInputRead, context);
  return {
    ...(await requestOptions(flags, context.cwd)),
    sitemap,
    depth,
    login,
    exclude,
    concurrency,
    maxPages,
    allowPartial,
    ignoreRobots,
    cookies: cookie && (await readTextFile(resolve(context.cwd, cookie), cookie, maxConfigBytes)),
    timeoutMs: timeout && timeout * 1000,
    allowPrivateAddresses: allowPrivate,
  };
}

const loginVariable = 'WEBMCP_FORMS_LOGIN';

async function loginOf(
  { login, loginInput }: ServedFlags,
  isInputRead: boolean,
  { cwd, env = {}, stdin }: CliContext,
): Promise<ReadSiteOptions['login']> {
  if (login === undefined) {
    if (loginInput === undefined) return undefined;
    throw new UsageError('--login-input needs --login. Name the manifest and the tool of the login.');
  }
  const at = login.lastIndexOf(':');
  const [file, tool] = [login.slice(0, at), login.slice(at + 1)];
  if (at < 1 || tool === '') throw new UsageError('--login is not MANIFEST:TOOL. Name a file and one of its tools.');
  if (loginInput === '-' && isInputRead) {
    throw new UsageError('Standard input is a page and the input of --login. Use a file for one of them.');
  }
  const { readManifest } = await import('../../site/manifest/read-manifest.js');
  const source = loginInput === '-' ? '<stdin>' : (loginInput ?? loginVariable);
  const text = await loginText(loginInput, env[loginVariable], cwd, stdin);
  return { manifest: await readManifest(file, cwd), tool, input: parseInput(text, source) };
}

async function loginText(
  loginInput: string | undefined,
  variable: string | undefined,
  cwd: string,
  stdin: AsyncIterable<Uint8Array>,
): Promise<string> {
  if (loginInput === '-') return decodeUtf8(await readBytes(stdin, '<stdin>', maxConfigBytes), '<stdin>');
  if (loginInput !== undefined) return readTextFile(resolve(cwd, loginInput), loginInput, maxConfigBytes);
  if (variable !== undefined && variable !== '') return variable;
  throw new UsageError(
    `--login needs the values of the form. Name a file of JSON with --login-input, or set ${loginVariable}.`,
  );
}

type LoginInput = NonNullable<ReadSiteOptions['login']>['input'];

/** Parses the input of a login. Messages do not contain the text, because it contains a password. */
function parseInput(text: string, source: string): LoginInput {
  const value = parseJson(text);
  if (isRecord(value)) return value as LoginInput & typeof value;
  throw new UsageError(`${source} is not a JSON object. Write the values by parameter: {"username":"ada", ...}.`);
}
