import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from 'webmcp-forms/build';
import { isSystemError, reasonOf, writeMessage, type CliContext } from 'webmcp-forms/cli';
import { credentialsOf, isLoopback, preview } from 'webmcp-forms/headless';
import { GatewayError } from '../../gateway-error.js';
import { LiveManifest } from '../../manifest.js';
import { hostnameIn } from '../../node/access/checks.js';
import { createLog, logWebtool, urlCredentials, type Log } from '../../node/log.js';
import { openRateLimiter } from '../../node/access/rate-limit.js';
import { limiterFailure, serve, type ServeOptions } from '../../node/serve.js';
import { serveStdio } from '../../node/serve-stdio.js';
import { isRedisUrl } from '../../node/stores.js';
import { plain } from '../../stores/session-keys.js';
import { removeExpiredSessions } from '../../stores/sessions.js';
import type { Storage } from '../../stores/store.js';
import { watchManifest } from './reload.js';
import { openSetup, type ServeFlags, type Setup } from './setup.js';
import { constants } from 'node:os';

const stopSignals = ['SIGTERM', 'SIGINT'] as const;

/** A second signal within this time is a duplicate: npx forwards signals that the terminal also sends. */
const duplicateMs = 500;

/**
 * Runs a function with an `AbortSignal` that SIGTERM or SIGINT aborts. A second SIGTERM or SIGINT exits immediately.
 */
async function untilStopped(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let stoppedAt = Infinity;
  const stop = (signal?: NodeJS.Signals): void => {
    if (!controller.signal.aborted) stoppedAt = performance.now();
    else if (signal && performance.now() - stoppedAt > duplicateMs) process.exit(128 + constants.signals[signal]);
    controller.abort();
  };
  for (const signal of stopSignals) process.on(signal, stop);
  const watch = process.env['npm_lifecycle_event'] === 'npx' ? onParentExit(stop) : undefined;
  try {
    await run(controller.signal);
  } finally {
    for (const signal of stopSignals) process.off(signal, stop);
    clearInterval(watch);
  }
}

/**
 * Calls `stop` when the parent exits: npx forwards a signal to its shell, and some shells exit without forwarding it.
 */
function onParentExit(stop: () => void): NodeJS.Timeout {
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 500).unref();
}

function onReloadSignal(reload: () => void, signal: AbortSignal): void {
  process.on('SIGHUP', reload);
  signal.addEventListener('abort', () => process.off('SIGHUP', reload), { once: true });
}

interface ServeTimeouts {
  /** @default 10000 */
  readonly graceMilliseconds?: number;
}

/**
 * Serves a manifest until the process receives a signal, or with `mcp` until standard input ends.
 *
 * @throws {UsageError}
 */
export async function runServe(
  file: string,
  flags: ServeFlags,
  context: CliContext,
  timeouts: ServeTimeouts = {},
): Promise<void> {
  checkFlags(flags);
  try {
    await untilStopped((signal) => serveFile(file, { flags, context, timeouts, signal }));
  } catch (error) {
    throw error instanceof GatewayError ? new UsageError(error.message, { cause: error }) : error;
  }
}

function checkFlags({ allowHost = [] }: ServeFlags): void {
  const invalid = allowHost.find((name) => !/^[^:/]+$|^\[.*\]$/.test(name) || hostnameIn(name) === undefined);
  if (invalid === undefined) return;
  throw new UsageError(`--allow-host ${preview(invalid)} is not a host name. Use a name without a port.`);
}

interface ServeCommand {
  readonly flags: ServeFlags;
  readonly context: CliContext;
  readonly timeouts: ServeTimeouts;
  readonly signal: AbortSignal;
}

interface ServeRun extends ServeCommand {
  readonly setup: Setup;
  readonly log: Log;
  readonly live: LiveManifest;
}

async function serveFile(file: string, command: ServeCommand): Promise<void> {
  const { flags, context } = command;
  const setup = await openSetup(file, flags, context);
  const { manifest, stamp, read, options, sessions, sessionStorage, close } = setup;
  const log = openLog(flags, setup, context);
  for (const warning of setup.warnings) log.warn(warning);
  const controller = new AbortController();
  const { signal } = controller;
  try {
    const live = new LiveManifest(manifest);
    const reload = watchManifest(live, { path: resolve(context.cwd, file), stamp, read, log, signal });
    onReloadSignal(() => void reload(), signal);
    if (sessions !== 'memory' && !isRedisUrl(sessions)) void sweepSessions(sessionStorage, log, signal);
    const run = { ...command, setup, log, live };
    if (flags.mcp) {
      await logWebtool(live, options, log, signal);
      await serveStdio(live, { ...options, ...context, ...command.timeouts, log, signal: command.signal });
    } else await serveHttp(run, () => logWebtool(live, options, log, signal));
    log.info('stopped');
  } finally {
    controller.abort();
    await close();
  }
}

async function serveHttp(run: ServeRun, onListening: () => Promise<void>): Promise<void> {
  const { live, flags, setup, log, signal, timeouts, context } = run;
  const { host, port, clientAddressHeader, publicUrl, allowAnonymous, allowHost: allowedHosts } = flags;
  const { tokens, oauth, options } = setup;
  const { rateLimiter, quota } = await openLimiters(run);
  try {
    const { url, closed } = await serve(live, {
      ...options,
      ...timeouts,
      host,
      port,
      allowedHosts,
      tokens,
      oauth,
      allowAnonymous,
      rateLimiter,
      quota,
      clientAddressHeader,
      publicUrl,
      log,
      signal,
    }).catch((error: unknown) => failToListen(flags, error));
    await onListening();
    if (tokens.length === 0 && !oauth && !isLoopback(host))
      log.warn({ host }, 'anybody who can reach this address can call');
    log.info({ url, mcp: `${url}mcp` }, 'listening');
    const isQuiet = flags.logLevel === 'error' || flags.logLevel === 'warn';
    if (isQuiet) await writeMessage(context.stderr, `webmcp-gateway: ${url}\n`);
    await closed;
  } finally {
    rateLimiter?.close();
    quota?.close();
  }
}

async function openLimiters({ flags, setup, log }: ServeRun): Promise<Pick<ServeOptions, 'rateLimiter' | 'quota'>> {
  const { rateLimit, quota } = flags;
  const { sessions, manifest } = setup;
  const redis = isRedisUrl(sessions) ? sessions : undefined;
  const options = { name: manifest.name, onFailure: limiterFailure(log), redis };
  return {
    rateLimiter: rateLimit && (await openRateLimiter({ ...rateLimit, ...options })),
    quota: quota && (await openRateLimiter({ ...quota, ...options, kind: 'quota' })),
  };
}

function failToListen({ host, port }: ServeFlags, cause: unknown): never {
  if (!isSystemError(cause)) throw cause;
  const isPortProblem = cause.code === 'EADDRINUSE' || cause.code === 'EACCES';
  const advice = isPortProblem ? 'Choose another --port.' : 'Choose another --host.';
  throw new UsageError(`Cannot listen on ${host} port ${port}: ${reasonOf(cause)}. ${advice}`, { cause });
}

function openLog({ logLevel: level }: ServeFlags, setup: Setup, { stderr }: CliContext): Log {
  const { options, tokens, sessions, releases } = setup;
  const { headers = {}, values = {} } = options.config ?? {};
  const secrets = [
    ...Object.entries(headers).flatMap((header) => credentialsOf(...header)),
    ...Object.values(values).flatMap((controls) => Object.values(controls).flat()),
    ...tokens.map(({ token }) => token),
    ...(options.sessionKeys ?? []).filter((key) => key !== plain),
    ...[options.baseUrl, sessions, releases].flatMap(urlCredentials),
  ];
  return createLog({ level, stream: stderr, secrets });
}

const hour = 3_600_000;

/**
 * Removes expired sessions now and about hourly. The intervals are random, because several machines may share a folder.
 */
async function sweepSessions(sessions: Storage, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const count = await removeExpiredSessions(sessions);
      log.debug({ count }, 'removed expired sessions');
    } catch (error) {
      log.warn({ error }, 'cannot remove expired sessions');
    }
    await wait(hour * (0.5 + Math.random()), undefined, { signal, ref: false }).catch(() => undefined);
  }
}
