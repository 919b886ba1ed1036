import { setTimeout as wait } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { GatewayError } from '../gateway-error.js';

/** How many calls each client may make. */
export interface RateLimit {
  readonly calls: number;
  /** In which time. */
  readonly seconds: number;
}

/** What a client may still do. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Until all calls may be made again. */
  readonly seconds: number;
}

/** Counts calls. */
export interface RateLimiter extends RateLimit {
  /** @throws {Error} when nobody can tell */
  count(client: string): Promise<Allowance>;
  close(): void;
}

export interface RateLimiterOptions extends RateLimit {
  /** Gateways of one name count together where they share a Redis. */
  readonly name: string;
  /** The URL of a Redis, so that all machines behind one address count together. While it is away each counts alone. */
  readonly redis?: string;
  /**
   * Whether this is a worker of a cluster whose primary process has called `shareRateLimits`.
   * @default false
   */
  readonly isWorker?: boolean;
}

/**
 * Opens a rate limit: in Redis, or in memory.
 *
 * @throws {GatewayError} `store-unavailable` when Redis is asked for and ioredis is not installed
 */
export async function openRateLimiter(options: RateLimiterOptions): Promise<RateLimiter> {
  const { calls, seconds, name, redis, isWorker = false } = options;
  const shared = { points: calls, duration: seconds, keyPrefix: `webmcp-forms:rate:${encodeURIComponent(name)}` };
  const client = redis === undefined ? undefined : await openRedis(redis);
  const limiter = await limiterOf(shared, client, isWorker);
  return {
    calls,
    seconds,
    count: (address) => allowanceOf(limiter, address),
    close: () => client?.disconnect(),
  };
}

interface Shared {
  readonly points: number;
  readonly duration: number;
  readonly keyPrefix: string;
}

async function limiterOf(
  options: Shared,
  client: { disconnect(): void } | undefined,
  isWorker: boolean,
): Promise<RateLimiterAbstract> {
  const { RateLimiterCluster, RateLimiterMemory, RateLimiterRedis } = await import('rate-limiter-flexible');
  if (client) {
    const insuranceLimiter = new RateLimiterMemory(options);
    return new RateLimiterRedis({ ...options, storeClient: client, rejectIfRedisNotReady: true, insuranceLimiter });
  }
  return isWorker ? new RateLimiterCluster(options) : new RateLimiterMemory(options);
}

/** What the primary process of a cluster counts with, for its workers. */
export async function shareRateLimits(): Promise<void> {
  const { RateLimiterClusterMaster } = await import('rate-limiter-flexible');
  new RateLimiterClusterMaster();
}

async function openRedis(url: string): Promise<{ disconnect(): void }> {
  const { Redis } = await import('ioredis').catch(() => {
    throw new GatewayError('store-unavailable', 'A rate limit in Redis needs ioredis: npm install ioredis@5.');
  });
  const retryStrategy = (times: number): number => Math.min(times * 100, 2000);
  const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 1000, retryStrategy };
  const client = new Redis(url, options);
  client.on('error', () => undefined); // without a listener ioredis writes to the console
  const connected = new Promise<void>((resolve) => void client.once('ready', resolve));
  await Promise.race([connected, wait(connectMilliseconds, undefined, { ref: false })]);
  return client;
}

/** How long a start waits for Redis; without it each process counts alone. */
const connectMilliseconds = 2000;

async function allowanceOf(limiter: RateLimiterAbstract, address: string): Promise<Allowance> {
  try {
    return allowance(await limiter.consume(address), true);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    return allowance(refusal as RateLimiterRes, false);
  }
}

const allowance = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Allowance => ({
  isAllowed,
  remaining: remainingPoints,
  seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
});

/**
 * Whom calls are counted for: an address, or the network of an IPv6 address, since each client has many of these.
 *
 * @param said - what the nearest proxy says in a header; the last one of a list is its own
 */
export function clientOf(socket: string | undefined, said: string | undefined): string {
  const address = addressIn(said?.split(',').at(-1) ?? '') ?? addressIn(socket ?? '');
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  return (address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

function addressIn(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const candidates = [
    text.trim(),
    text
      .trim()
      .replace(/:\d+$/, '')
      .replace(/^\[|\]$/g, ''),
  ];
  const address = candidates.find((each) => ipaddr.isValid(each));
  return address === undefined ? undefined : ipaddr.process(address);
}
