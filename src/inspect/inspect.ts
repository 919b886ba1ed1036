import type { ProfileName, Sensitive } from '../compiler/index.js';
import type { Surroundings } from '../site/surroundings.js';
import { reasonOf, UsageError } from '../site/usage-error.js';
import { cannotOpen, CrashError, ourScript, visit, type Visit } from './browse.js';
import { differencesOf, type Difference } from './differences.js';
import { findChromium } from './find-chromium.js';
import { isSecure, readTools, type LiveTool } from './read-live-tools.js';
import { parseUrl } from '../site/url.js';

/** The options of a command that opens a page. */
export interface InspectOptions {
  readonly chromium?: string;
  /** Seconds. */
  readonly timeout: number;
  readonly waitFor?: string;
  readonly insecure?: true;
}

export interface Reading {
  readonly profile: ProfileName;
  readonly sensitive?: Sensitive;
}

/** What a page offers, read twice: by the browser's own WebMCP, and by this package where the browser has none. */
export interface PageRecord {
  readonly url: string;
  readonly profile: ProfileName;
  /** Null if this browser has no WebMCP of its own, or did not survive the page. */
  readonly native: readonly LiveTool[] | null;
  /** Why `native` is null. */
  readonly nativeProblem?: string;
  readonly nativeCrashed?: true;
  readonly tools: readonly LiveTool[];
  /** What the two say differently; schemas only in the profile chromium. */
  readonly differences: readonly Difference[];
}

/** Reads what a page offers, natively and by this package. */
export async function inspectPage(
  url: string,
  options: InspectOptions & Reading,
  surroundings: Surroundings,
): Promise<PageRecord> {
  const tools = await readLivePage(url, options, surroundings);
  const { profile } = options;
  const native = await readNative(visitOf(url, options, surroundings));
  const differences = native.tools ? differencesOf(native.tools, tools, profile === 'chromium') : [];
  return {
    url: parseUrl(url).href,
    profile,
    native: native.tools ?? null,
    ...(native.problem !== undefined && { nativeProblem: native.problem }),
    ...(native.crashed && { nativeCrashed: native.crashed }),
    tools,
    differences,
  };
}

/** The tools that this package makes of a page in a browser without WebMCP. */
export async function readLivePage(
  url: string,
  options: InspectOptions & Reading,
  surroundings: Surroundings,
): Promise<readonly LiveTool[]> {
  const script = await ourScript(options.profile, options.sensitive);
  const plan = { ...visitOf(url, options, surroundings), script, isNative: false };
  const tools = await visit(plan, async (page) => {
    if (!(await isSecure(page)))
      throw cannotOpen(
        url,
        'it is no secure context, where browsers offer no tools',
        'serve it by https, or from localhost',
      );
    await page.evaluate(script); // a copy of this script that the page has itself may go by another profile
    return readTools(page);
  }).catch((cause: unknown) => {
    throw cause instanceof CrashError ? cannotOpen(url, cause.message, 'see what its scripts do', cause) : cause;
  });
  if (tools) return tools;
  throw cannotOpen(url, 'it has no document.modelContext, even with this script', 'see what its scripts do to it');
}

interface NativeReading {
  readonly tools?: readonly LiveTool[];
  readonly problem?: string;
  readonly crashed?: true;
}

async function readNative(plan: Visit): Promise<NativeReading> {
  try {
    const tools = await visit({ ...plan, isNative: true }, readTools);
    return tools ? { tools } : { problem: 'this browser has no WebMCP of its own' };
  } catch (error) {
    if (error instanceof CrashError)
      return { problem: 'the browser with its own WebMCP crashed on the page, a fault of the browser', crashed: true };
    if (error instanceof UsageError) throw error;
    return { problem: `the browser's own WebMCP failed: ${reasonOf(error).split('\n')[0]}` };
  }
}

const visitOf = (
  url: string,
  { chromium, timeout, waitFor, insecure }: InspectOptions,
  { cwd, env = {} }: Surroundings,
): Visit => ({
  url: parseUrl(url).href,
  executable: findChromium(chromium, env, cwd),
  isNative: true,
  timeout: timeout * 1000,
  insecure: insecure ?? false,
  ...(waitFor !== undefined && { waitFor }),
});
