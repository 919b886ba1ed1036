import cluster from 'node:cluster';
import { resolve } from 'node:path';
import { UsageError } from 'webmcp-forms/build';
import { type Surroundings, isSystemError, reasonOf, tell } from 'webmcp-forms/cli';
import { preview } from 'webmcp-forms/headless';
import { GatewayError } from '../../gateway-error.js';
import { LiveManifest } from '../../live-manifest.js';
import { logWebtool } from '../../node/events.js';
import { isLoopback } from '../../upstream/addresses.js';
import { hostnameIn } from '../../node/hosts.js';
import { createLog, credentialsOf, noLog, type Log } from '../../node/log.js';
import { openRateLimiter, type RateLimiter } from '../../node/rate-limit.js';
import { serve } from '../../node/serve.js';
import { serveStdio } from '../../node/serve-stdio.js';
import type { ServeFlags } from './flags.js';
import { keepCurrent } from './reload.js';
import { isRedis, setUp, type Setup } from './setup.js';
import { onReload, untilStopped } from './signals.js';
import { sweep } from './sweep.js';
import { runWorkers, tellPrimary, type Place } from './workers.js';

/**
 * Serves a manifest until the process is told to end, or with `mcp` until standard input ends.
 *
 * @throws {UsageError}
 */
export async function runServe(file: string, flags: ServeFlags, surroundings: Surroundings): Promise<void> {
  const isWorker = flags.workers > 1 && cluster.isWorker;
  try {
    await untilStopped(isWorker, (signal) => (isWorker ? work : lead)(file, flags, surroundings, signal));
    if (isWorker) process.disconnect();
  } catch (error) {
    const known = error instanceof GatewayError ? new UsageError(sentenceOf(error), { cause: error }) : error;
    if (!isWorker) throw known;
    tellPrimary(reasonOf(known));
  }
}

/** As the end of a line. */
const sentenceOf = ({ message }: GatewayError): string => message.replace(/\.$/, '');

type Role = (file: string, flags: ServeFlags, surroundings: Surroundings, signal: AbortSignal) => Promise<void>;

/** What the only process does, or the one that has workers. */
const lead: Role = async (file, flags, surroundings, signal) => {
  checkFlags(flags, surroundings);
  const setup = await setUp(file, flags, surroundings);
  const over = new AbortController();
  const log = logOf(flags, setup, surroundings);
  try {
    const live = follow(file, setup, surroundings, log, over.signal);
    if (setup.sessions !== 'memory' && !isRedis(setup.sessions)) void sweep(setup.sessionStorage, log, over.signal);
    const announce = async (address?: Place): Promise<void> => {
      await logWebtool(live, setup.options, log, over.signal);
      if (!address) return;
      warn(flags, setup, log);
      log.info(address, 'listening');
      if (['error', 'warn'].includes(flags.logLevel))
        await tell(surroundings.stderr, `webmcp-gateway: ${address.url}\n`);
    };
    const run = flags.mcp ? stdio : flags.workers > 1 ? workers : http;
    await run({ live, flags, setup, surroundings, log, signal, announce });
    log.info('ended');
  } finally {
    over.abort();
    await setup.close();
  }
};

/** What each worker does. */
const work: Role = async (file, flags, surroundings, signal) => {
  const setup = await setUp(file, flags, surroundings);
  const over = new AbortController();
  const log = logOf(flags, setup, surroundings);
  try {
    const live = follow(file, setup, surroundings, noLog, over.signal);
    await http({ live, flags, setup, surroundings, log, signal, announce: () => Promise.resolve() });
  } finally {
    over.abort();
    await setup.close();
  }
};

/** Each worker has a memory of its own. */
function checkFlags({ workers: count, sessions, allowHost = [] }: ServeFlags, { env = {} }: Surroundings): void {
  const wrong = allowHost.find((name) => !/^[^:/]+$|^\[.*\]$/.test(name) || hostnameIn(name) === undefined);
  if (wrong !== undefined) throw new UsageError(`--allow-host ${preview(wrong)} is no name: give one without a port`);
  if (count === 1 || sessions !== undefined || env.WEBMCP_FORMS_SESSIONS !== undefined) return;
  const advice = 'give it a folder or the URL of a Redis, or memory if a client may lose its session with each call';
  throw new UsageError(`--workers ${count} needs --sessions, where all of them find a client's session: ${advice}`);
}

function follow(
  file: string,
  { manifest, stamp, read }: Setup,
  { cwd }: Surroundings,
  log: Log,
  signal: AbortSignal,
): LiveManifest {
  const live = new LiveManifest(manifest);
  const reload = keepCurrent(live, { path: resolve(cwd, file), stamp, read, log, signal });
  onReload(() => void reload(), signal);
  return live;
}

interface Running {
  readonly live: LiveManifest;
  readonly flags: ServeFlags;
  readonly setup: Setup;
  readonly surroundings: Surroundings;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Says what is served, and where. */
  readonly announce: (address?: Place) => Promise<void>;
}

async function stdio({ live, setup, surroundings, log, signal, announce }: Running): Promise<void> {
  const { stdin, stdout } = surroundings;
  await announce();
  await serveStdio(live, { ...setup.options, stdin, stdout, log, signal });
}

async function workers({ flags, setup, log, signal, announce }: Running): Promise<void> {
  await runWorkers(flags.workers, {
    ...{ log, signal, announce },
    sharesRateLimits: flags.rateLimit !== undefined && !isRedis(setup.sessions),
  });
}

async function http({ live, flags, setup, log, signal, announce }: Running): Promise<void> {
  const rateLimiter = await rateLimiterOf(flags, setup);
  const { token, options } = setup;
  const { host, port, clientAddressHeader } = flags;
  try {
    const { url, closed } = await serve(live, {
      ...{ ...options, host, port, log, signal, allowedHosts: flags.allowHost ?? [] },
      ...(token !== undefined && { token }),
      ...(rateLimiter && { rateLimiter }),
      ...(clientAddressHeader !== undefined && { clientAddressHeader }),
    }).catch((error: unknown) => cannotListen(flags, error));
    await announce({ url, mcp: `${url}mcp` });
    await closed;
  } finally {
    rateLimiter?.close();
  }
}

async function rateLimiterOf({ rateLimit, workers }: ServeFlags, setup: Setup): Promise<RateLimiter | undefined> {
  if (!rateLimit) return undefined;
  const { sessions, manifest } = setup;
  const place = isRedis(sessions) ? { redis: sessions } : { isWorker: workers > 1 };
  return await openRateLimiter({ ...rateLimit, name: manifest.name, ...place });
}

function cannotListen({ host, port }: ServeFlags, cause: unknown): never {
  if (!isSystemError(cause)) throw cause;
  const advice = cause.code === 'EADDRINUSE' || cause.code === 'EACCES' ? '--port another number' : '--host an address';
  throw new UsageError(`cannot listen on ${host} port ${port}: ${reasonOf(cause)}: give ${advice}`, { cause });
}

function warn({ host }: ServeFlags, { token }: Setup, log: Log): void {
  if (token !== undefined || isLoopback(host)) return;
  log.warn({ host }, 'everybody who can reach this address can call: set WEBMCP_FORMS_TOKEN');
}

function logOf({ logLevel: level }: ServeFlags, { options, token, sessions, store }: Setup, { stderr }: Surroundings) {
  const { headers = {}, values = {} } = options.config ?? {};
  const secrets = [
    ...Object.values(headers).flatMap((value) => [value, ...value.split(' ').slice(1)]),
    ...Object.values(values).flatMap((controls) => Object.values(controls).flat()),
    ...(token === undefined ? [] : [token]),
    ...[options.baseUrl, sessions, store].flatMap(credentialsOf),
  ];
  return createLog({ level, stream: stderr, secrets });
}
