import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { JsonValue, ProfileName, SynthesizeOptions } from '../compiler/index.js';
import { preview } from '../compiler/preview.js';
import { canonicalJson, isRecord, ownMember } from '../json.js';
import { countOf, oneLine, type Paint } from '../site/printable.js';
import { parseUrl } from '../site/url.js';
import { reasonOf, UsageError } from '../site/usage-error.js';
import { CrashError, ourScript, pageError, visit, type Visit } from './browse.js';
import { isSecure, readTools, type LiveTool } from './read-live-tools.js';

type Environment = Readonly<Record<string, string | undefined>>;

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe'];
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Finds Chromium: the path in `--chromium`, or else in CHROME_PATH, or else a known name in PATH or path of macOS. */
export function findChromium(flag: string | undefined, env: Environment, cwd: string): string {
  const path = flag === undefined ? env.CHROME_PATH : resolve(cwd, flag);
  if (path !== undefined && path !== '') {
    if (existsSync(path)) return path;
    const source = flag === undefined ? 'CHROME_PATH' : '--chromium';
    throw new UsageError(`${source} is ${oneLine(path)}, which does not exist. Name the executable of a Chromium.`);
  }
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const paths = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...macPaths];
  const found = paths.find((each) => existsSync(each));
  if (found !== undefined) return found;
  throw new UsageError('No Chromium is on PATH. Install one, or name it with --chromium or CHROME_PATH.');
}

export interface InspectOptions {
  readonly chromium?: string;
  /** In seconds. */
  readonly timeout: number;
  readonly waitFor?: string;
  readonly insecure?: true;
}

interface Difference {
  readonly tool: string;
  readonly what: 'missing' | 'title' | 'description' | 'inputSchema';
  /** The native value; null if it is missing. */
  readonly native: unknown;
  /** The value of this package; null if it is missing. */
  readonly ours: unknown;
}

/** The tools of a page: natively, and with this package in a browser without WebMCP. */
export interface PageRecord {
  readonly url: string;
  readonly profile: ProfileName;
  /** Null if the browser does not support WebMCP, or crashed. */
  readonly native: readonly LiveTool[] | null;
  readonly nativeProblem?: string;
  readonly nativeCrashed?: true;
  readonly tools: readonly LiveTool[];
  /** Includes differences of schemas only in the profile chromium. */
  readonly differences: readonly Difference[];
}

interface Context {
  readonly cwd: string;
  readonly env?: Environment;
}

export async function inspectPage(
  url: string,
  options: InspectOptions & SynthesizeOptions,
  context: Context,
): Promise<PageRecord> {
  const tools = await readLivePage(url, options, context);
  const { profile } = options;
  const native = await readNative(visitOf(url, options, context));
  return {
    url: parseUrl(url).href,
    profile,
    native: native.tools ?? null,
    ...(native.problem !== undefined && { nativeProblem: native.problem }),
    ...(native.crashed && { nativeCrashed: native.crashed }),
    tools,
    differences: native.tools ? findDifferences(native.tools, tools, profile === 'chromium') : [],
  };
}

/** Reads the tools that this package creates in a browser without WebMCP. */
export async function readLivePage(
  url: string,
  options: InspectOptions & SynthesizeOptions,
  context: Context,
): Promise<readonly LiveTool[]> {
  const script = await ourScript(options.profile, options.sensitive);
  const tools = await visit({ ...visitOf(url, options, context), script, isNative: false }, async (page) => {
    if (!(await isSecure(page)))
      throw pageError(
        url,
        'it is not a secure context, so it cannot have tools',
        'Serve it over https, or from localhost.',
      );
    await page.evaluate(script); // replaces a copy of this script in the page, which may use another profile
    return readTools(page);
  }).catch((cause: unknown) => {
    throw cause instanceof CrashError ? pageError(url, cause.message, 'Check its scripts.', cause) : cause;
  });
  if (tools) return tools;
  throw pageError(url, 'document.modelContext does not exist, even with this script', 'Check its scripts.');
}

interface NativeResult {
  readonly tools?: readonly LiveTool[];
  readonly problem?: string;
  readonly crashed?: true;
}

async function readNative(plan: Visit): Promise<NativeResult> {
  try {
    const tools = await visit(plan, readTools);
    return tools ? { tools } : { problem: 'this browser does not support WebMCP' };
  } catch (error) {
    if (error instanceof CrashError)
      return {
        problem: 'the browser crashed on the page with its native WebMCP, which is a bug in the browser',
        crashed: true,
      };
    if (error instanceof UsageError) throw error;
    return { problem: `the native WebMCP failed: ${reasonOf(error).split('\n')[0]}` };
  }
}

const visitOf = (
  url: string,
  { chromium, timeout, waitFor, insecure }: InspectOptions,
  { cwd, env = {} }: Context,
): Visit => ({
  url: parseUrl(url).href,
  executable: findChromium(chromium, env, cwd),
  isNative: true,
  timeoutMs: timeout * 1000,
  insecure: insecure ?? false,
  ...(waitFor !== undefined && { waitFor }),
});

function findDifferences(
  native: readonly LiveTool[],
  ours: readonly LiveTool[],
  withSchemas: boolean,
): readonly Difference[] {
  const [nativeByName, oursByName] = [native, ours].map((tools) => new Map(tools.map((tool) => [tool.name, tool])));
  const names = [...new Set([...native, ...ours].map(({ name }) => name))].sort();
  return names.flatMap((name) => compareTools(name, nativeByName?.get(name), oursByName?.get(name), withSchemas));
}

function compareTools(
  tool: string,
  native: LiveTool | undefined,
  ours: LiveTool | undefined,
  withSchemas: boolean,
): readonly Difference[] {
  if (!native || !ours) return [{ tool, what: 'missing', native: native ?? null, ours: ours ?? null }];
  const members = ['title', 'description', ...(withSchemas ? (['inputSchema'] as const) : [])] as const;
  return members
    .map((what) => ({ tool, what, native: native[what] ?? null, ours: ours[what] ?? null }))
    .filter((difference) => canonicalJson(difference.native) !== canonicalJson(difference.ours));
}

export function recordSummary({ tools, native, nativeProblem = '', differences }: PageRecord): string {
  const count = countOf(tools.length, 'tool');
  if (!native) return `${count}; ${oneLine(nativeProblem)}`;
  return `${count}, ${native.length} natively, ${countOf(differences.length, 'difference')}`;
}

export function recordText({ tools, native, differences }: PageRecord, paint: Paint): string {
  const all = new Map([...(native ?? []), ...tools].map((tool) => [tool.name, tool]));
  const lines = [...all.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((tool) => [
      `${paint('bold', oneLine(tool.name))}  ${oneLine(tool.description)}`,
      ...parameterLines(tool, paint),
      ...differences.filter((each) => each.tool === tool.name).map((each) => `  ${differenceText(each, paint)}`),
    ]);
  return lines.map((line) => `${line}\n`).join('');
}

function differenceText({ what, native, ours }: Difference, paint: Paint): string {
  if (what === 'missing') return paint('red', native === null ? 'only with webmcp-forms' : 'only natively');
  const [nativeText, ourText] = [native, ours].map((value) => preview(value as JsonValue, 300));
  return oneLine(`${paint('red', what)}: natively ${nativeText}, with webmcp-forms ${ourText}`);
}

/** A row for each parameter of a tool: name, type, whether it is required, description. The page may control the schema. */
function parameterLines({ inputSchema }: Pick<LiveTool, 'inputSchema'>, paint: Paint): readonly string[] {
  const properties = memberOf(inputSchema, 'properties');
  const listed = memberOf(inputSchema, 'required');
  const required = new Set<unknown>(Array.isArray(listed) ? listed : []);
  const rows = Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => ({
    name: oneLine(name),
    type: oneLine(typeOf(schema)),
    need: required.has(name) ? 'required' : 'optional',
    description: oneLine(descriptionOf(schema)),
  }));
  const [names, types] = [widthOf(rows.map(({ name }) => name)), widthOf(rows.map(({ type }) => type))];
  return rows.map(({ name, type, need, description }) => {
    const cells = `  ${name.padEnd(names)}  ${paint('cyan', type.padEnd(types))}  ${paint('dim', need)}`;
    return description === '' ? cells : `${cells}  ${description}`;
  });
}

const maxWidth = 40;

const widthOf = (texts: readonly string[]): number =>
  texts.reduce((width, { length }) => Math.min(maxWidth, Math.max(width, length)), 0);

const memberOf = (schema: unknown, name: string): unknown => (isRecord(schema) ? ownMember(schema, name) : undefined);

function descriptionOf(schema: unknown): string {
  const description = memberOf(schema, 'description');
  return typeof description === 'string' ? description : '';
}

/** The type of a parameter, such as `string`, `string (3 values)`, or `array of string (2 values)`. */
function typeOf(schema: unknown): string {
  const type = memberOf(schema, 'type');
  const name = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
  const items = name === 'array' ? memberOf(schema, 'items') : undefined;
  if (isRecord(items)) return `array of ${typeOf(items)}`;
  const values = ['enum', 'oneOf', 'anyOf'].map((keyword) => memberOf(schema, keyword)).find(Array.isArray);
  return values === undefined ? name : `${name} (${values.length} values)`;
}
