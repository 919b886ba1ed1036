import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '../at-end.js';
import { PassThrough } from 'node:stream';
import { compileHtml } from '../../../src/site/compile-html.js';
import { createManifest } from '../../../src/site/manifest/manifest.js';
import { builtPath, endWithTest } from '../processes.js';
import { until } from '../until.js';
import { runServe } from '../../../gateway/src/cli/serve/run.js';
import { Collector } from '../cli/running.js';
import { openSite, type Recorded, type Site } from './recording.js';

/** A line of the log. */
export interface Line {
  readonly level: string;
  readonly msg: string;
  readonly pid: number;
  readonly [field: string]: unknown;
}

/** A running `webmcp-gateway serve`. */
export interface Run {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly stdout: () => string;
  readonly lines: () => readonly Line[];
  /** Resolves with the first line with this message, or with a later one if `skip` is given. */
  readonly line: (message: string, skip?: number) => Promise<Line>;
  /** Resolves with the exit code, or the name of the signal. */
  readonly exit: Promise<number | string>;
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | string>;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to start it in a shell. */
  readonly shell?: boolean;
}

/** Starts the program, and kills it after the test. */
export function start(args: readonly string[], { cwd, env = {}, shell = false }: RunOptions): Run {
  const command = [process.execPath, builtPath('gateway/bin'), 'serve', ...args] as const;
  const [program, ...rest] = shell ? (['sh', '-c', '"$0" "$@"; exit $?', ...command] as const) : command;
  const child = endWithTest(spawn(program, rest, { cwd, env: { ...process.env, ...env }, detached: shell }));
  let [stderr, stdout] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const exit = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const lines = (): readonly Line[] =>
    stderr
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  const line = (message: string, skip = 0): Promise<Line> =>
    until(() => {
      const found = lines().filter(({ msg }) => msg === message)[skip];
      if (!found && child.exitCode !== null && !shell) assert.fail(`no line ${message}: ${stderr}`);
      return found;
    });
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> => {
    child.kill(signal);
    return exit;
  };
  return { child, stderr: () => stderr, stdout: () => stdout, lines, line, exit, stop };
}

export interface RunInProcess {
  readonly cwd: string;
  readonly site: Shop;
  readonly stdin: PassThrough;
  readonly stdout: Collector;
  readonly stderr: Collector;
  /** Resolves when the program has stopped. */
  readonly stopped: Promise<void>;
}

/** Runs the program in this process, with a grace period in milliseconds. `process.emit` sends it signals. */
export async function serveInProcess(
  graceMilliseconds: number,
  { mcp }: { readonly mcp?: true } = {},
): Promise<RunInProcess> {
  const [site, cwd] = [await openShop(), await makeFolder({ 'webmcp.json': manifestText() })];
  const [stdin, stdout, stderr] = [new PassThrough(), new Collector(), new Collector()];
  const flags = {
    ...({ baseUrl: site.origin, allowPrivate: true, port: 0, host: '127.0.0.1' } as const),
    ...({ sessionSeconds: 60, logLevel: 'info', ...(mcp && { mcp }) } as const),
  } as const;
  const context = { stdin, stdout, stderr, cwd };
  return { ...context, site, stopped: runServe('webmcp.json', flags, context, { graceMilliseconds }) };
}

/** Starts the program and resolves when it listens. */
export async function listen(args: readonly string[], options: RunOptions): Promise<Run & { readonly url: string }> {
  const run = start(['--port', '0', ...args], options);
  const { url } = await run.line('listening');
  return { ...run, url: url as string };
}

/** Creates a temporary folder with files, and removes it after the test. */
export async function makeFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-serve-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) await replaceFile(folder, path, text);
  return folder;
}

export async function replaceFile(folder: string, path: string, text: string): Promise<void> {
  await writeFile(join(folder, `${path}.new`), text);
  await rename(join(folder, `${path}.new`), join(folder, path));
}

const find = `<form toolname=find tooldescription="Finds things." toolautosubmit action=/sent>
  <label>Words <input name=q></label><button>Go</button></form>`;
const order = `<form toolname=order tooldescription="Orders things." method=post action=/sent>
  <input type=hidden name=csrf value=HIDDEN-TOKEN-1><label>What <input name=what></label><button>Go</button></form>`;
const pay = `<form toolname=pay tooldescription="Pays." method=post action=/sent>
  <label>What <input name=what></label><label>Password <input type=password name=pw required></label><button>Go</button></form>`;

export const page = `<!doctype html><title>Shop</title>${find}${order}${pay}`;

/** The manifest of the shop. */
export function manifestText(version = '1.0.0', html = page): string {
  const pages = [compileHtml(html, { path: 'shop.html' })];
  return JSON.stringify(createManifest(pages, { name: 'shop', description: 'A shop.', version, profile: 'precise' }));
}

export interface Shop extends Site {
  /** Resolves when a slow or hanging call has arrived, with a function that responds to the slow requests. */
  readonly busy: () => Promise<() => void>;
}

/** A shop that sets a cookie, echoes requests, and responds slowly or never to requests with `slow` or `hang`. */
export async function openShop(): Promise<Shop> {
  const pending: (() => void)[] = [];
  const site = await openSite(({ url, method, body, headers }: Recorded, response) => {
    if (url === '/shop.html') {
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'shown=COOKIE-VALUE-123; Path=/' });
      response.end(page);
    } else if (`${url} ${body}`.includes('hang')) {
      pending.push(() => undefined);
    } else if (`${url} ${body}`.includes('slow')) {
      pending.push(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"slow":true}');
      });
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ method, url, body, cookie: headers.cookie ?? null }));
    }
  });
  atEnd(() => site.close());
  const busy = async (): Promise<() => void> => {
    await until(() => pending.length > 0);
    return () => {
      for (const answer of pending) answer();
    };
  };
  return { ...site, busy };
}

/** The response of a webtool. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly status?: string;
    readonly data?: { readonly status: number; readonly json?: Readonly<Record<string, unknown>> };
    readonly error?: { readonly code: string; readonly message: string };
  };
}

export async function post(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answered['body'],
  };
}
