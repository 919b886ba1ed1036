import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ProfileName, Sensitive } from '../compiler/index.js';
import { defaultPageTimeoutMs } from '../site/limits.js';
import { pageExtensions } from '../site/pages/page-extensions.js';
import { defaultConcurrency, defaultMaxPages, defaultRequestTimeoutMs } from '../crawl/limits.js';

// The names are duplicated here, so that help and usage errors do not load the compiler.
const profiles: Readonly<Record<ProfileName, true>> = { chromium: true, precise: true, portable: true };

/** The headings of commands in the help of the program. */
export const commandGroups = {
  forms: 'Annotate forms:',
  files: 'Write files:',
  tools: 'Look at tools:',
} as const;

/** The headings of options in the help of commands. */
export const optionGroups = {
  choice: 'Choice of forms:',
  rules: 'Rules:',
  manifest: 'Manifest:',
  urls: 'Pages of URLs:',
  browser: 'Browser:',
  speed: 'Threads and time:',
} as const;

export function addGroup(command: Command, heading: string, add: (command: Command) => Command): Command {
  command.optionsGroup(heading);
  return add(command).optionsGroup('');
}

export const pathArgument = [
  '[PATH...]',
  `a file, a folder (all .${pageExtensions.join(', .')} files in and below it), a glob, - for a page on standard input, or the URL of a page`,
] as const;

export const profileOption = (description: string): Option =>
  new Option('--profile <profile>', description).choices(Object.keys(profiles));

export const sensitiveOption = (): Option =>
  new Option(
    '--sensitive <choice>',
    'whether passwords, payment data and one-time codes become parameters (default: include in chromium, otherwise exclude)',
  ).choices(['include', 'exclude'] satisfies Sensitive[]);

export const outOption = (): Option =>
  new Option('--out <file>', 'write to a file instead of standard output, atomically');

export const includeSensitiveOption = (): Option =>
  new Option(
    '--include-sensitive',
    'also annotate logins, sign-ups, payments, changes and resets of passwords, and deletions',
  );

export const jobsOption = (verb: string): Option =>
  integerOption(
    '--jobs <number>',
    `the number of threads that ${verb} (default: 1 per 100 pages, at most 1 per processor)`,
    1,
    999,
  ).helpGroup(optionGroups.speed);

/** @param verb - the operation on a page, such as `compile` */
export const pageTimeoutOption = (verb: string): Option =>
  new Option('--page-timeout <seconds>', `the time limit to ${verb} one page; the run goes on without the page`)
    .helpGroup(optionGroups.speed)
    .argParser(parseSeconds)
    .default(defaultPageTimeoutMs / 1000);

export interface ManifestFlags {
  readonly profile: ProfileName;
  readonly sensitive?: Sensitive;
  readonly name?: string;
  readonly description?: string;
  readonly manifestVersion?: string;
  readonly strict?: true;
  readonly out?: string;
}

export const addManifestOptions = (command: Command): Command =>
  addGroup(
    command
      .addOption(outOption())
      .option('--strict', 'exit with 1 if a diagnostic is an error; the result is written nevertheless'),
    optionGroups.manifest,
    (group) =>
      group
        .addOption(profileOption('the profile of the input schemas').default('precise'))
        .addOption(sensitiveOption())
        .option('--name <name>', 'the name of the manifest (default: from the nearest package.json, or "site")')
        .option('--description <text>', 'a description of the site for agents (default: empty)')
        .option('--manifest-version <version>', 'its version (default: from the nearest package.json, or 0.0.0)'),
  );

export const addServedOptions = (command: Command): Command =>
  addGroup(command, optionGroups.urls, (group) =>
    group
      .option(
        '--sitemap',
        'of a URL: read the pages of its sitemap (a URL that ends with .xml or .txt is a sitemap itself)',
      )
      .addOption(integerOption('--depth <number>', 'of a URL: follow links to its origin, up to this depth', 0, 100))
      .addOption(repeatable('--exclude <glob>', 'paths to skip in links and sitemaps; repeatable'))
      .addOption(headerOption())
      .option('--cookie <file>', 'send the cookies of a file in the Netscape format (cookies.txt)')
      .option('--login <manifest:tool>', 'log in first, with a tool of a manifest')
      .option(
        '--login-input <file>',
        'the values of the login as a JSON object, or - for standard input (default: the variable WEBMCP_FORMS_LOGIN)',
      )
      .addOption(integerOption('--concurrency <number>', 'the number of requests at a time', 1, 32, defaultConcurrency))
      .addOption(integerOption('--max-pages <number>', 'the number of requested pages', 1, 100_000, defaultMaxPages))
      .addOption(
        new Option('--timeout <seconds>', 'the time limit of a request')
          .argParser(parseSeconds)
          .default(defaultRequestTimeoutMs / 1000),
      )
      .option('--allow-partial', 'write the result although pages could not be read, or --max-pages is exceeded')
      .option('--allow-private', 'read sites whose public names have private addresses')
      .option('--ignore-robots', 'read URLs that robots.txt disallows, on a site of your own')
      .addOption(insecureOption()),
  );

export const addRequestOptions = (command: Command): Command =>
  addGroup(command, optionGroups.urls, (group) => group.addOption(headerOption()).addOption(insecureOption()));

const headerOption = (): Option =>
  repeatable('--header <header>', 'send "Name: value", or the lines of @FILE, to the URLs; repeatable');

const insecureOption = (): Option => new Option('--insecure', 'accept certificates that are not trusted');

export const repeatable = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((value: string, before: readonly string[] = []) => [...before, value]);

export function integerOption(flags: string, description: string, min: number, max: number, initial?: number): Option {
  const option = new Option(flags, description).argParser((text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected an integer from ${min} to ${max}.`);
  });
  return initial === undefined ? option : option.default(initial);
}

export const addBrowserOptions = (command: Command): Command =>
  addGroup(command, optionGroups.browser, (group) =>
    group
      .option('--chromium <path>', 'the Chromium to use (default: CHROME_PATH, or the first on PATH)')
      .addOption(
        new Option('--timeout <seconds>', 'the time limit for reading the page once')
          .argParser(parseSeconds)
          .default(30),
      )
      .option('--wait-for <selector>', 'wait until an element matches this CSS selector')
      .addOption(insecureOption()),
  );

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && seconds <= 3600) return seconds;
  throw new InvalidArgumentError('Expected a number of seconds, more than 0 and at most 3600.');
}
