import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { GatewayError } from '../../gateway-error.js';

/** The number of calls that each client may make in a period. */
export interface RateLimit {
  readonly calls: number;
  readonly seconds: number;
}

export interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** The time until the limit resets, in seconds. */
  readonly seconds: number;
}

export interface RateLimiter extends RateLimit {
  /** @throws {Error} if the counter fails. The gateway counts such a call in the memory of the process */
  count(client: string): Promise<Allowance>;
  close(): void;
}

export interface RateLimiterOptions extends RateLimit {
  /** Gateways of the same name share their counters in a Redis. */
  readonly name: string;
  /** The kind of limit. Each kind has its own counters. @default 'rate' */
  readonly kind?: 'rate' | 'quota' | undefined;
  /** The URL of a Redis for shared counters. While it is unavailable, each process counts alone. */
  readonly redis?: string | undefined;
  /** Called when Redis fails, and with undefined when it works again. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/**
 * Opens a rate limiter in Redis or in memory. It never allows a call without counting it: while Redis is unavailable, each
 * process counts alone.
 *
 * @throws {GatewayError} `store-unavailable` if Redis is configured and ioredis is not installed
 */
export async function openRateLimiter(options: RateLimiterOptions): Promise<RateLimiter> {
  const { calls, seconds, name, kind = 'rate', redis, onFailure = () => undefined } = options;
  if (redis === undefined) return await openMemoryLimiter({ calls, seconds });
  const client = await openRedis(redis);
  const { RateLimiterRedis } = await import('rate-limiter-flexible');
  const limiter = new RateLimiterRedis({
    points: calls,
    duration: seconds,
    keyPrefix: `webmcp-forms:${kind}:${encodeURIComponent(name)}`,
    storeClient: client,
    rejectIfRedisNotReady: true,
  });
  const count = (key: string): Promise<Allowance> => countCall(limiter, key);
  return await withFallback({ calls, seconds, count, close: () => client.disconnect() }, onFailure);
}

/** Counts in the memory of the process while a limiter fails. */
export async function withFallback(limiter: RateLimiter, onFailure: (error: unknown) => void): Promise<RateLimiter> {
  const { calls, seconds } = limiter;
  const memory = await openMemoryLimiter({ calls, seconds });
  let isFailing = false;
  return {
    calls,
    seconds,
    async count(client) {
      try {
        const allowance = await limiter.count(client);
        if (isFailing) onFailure(undefined);
        isFailing = false;
        return allowance;
      } catch (error) {
        if (!isFailing) onFailure(error);
        isFailing = true;
        return await memory.count(client);
      }
    },
    close: () => limiter.close(),
  };
}

/** The maximum number of counters, so that a client with many addresses cannot fill the memory. Addresses share counters. */
const maxCounters = 2 ** 17;

async function openMemoryLimiter({ calls, seconds }: RateLimit): Promise<RateLimiter> {
  const { RateLimiterMemory } = await import('rate-limiter-flexible');
  const limiter = new RateLimiterMemory({ points: calls, duration: seconds });
  const secret = randomBytes(32); // a client cannot choose an address that shares the counter of another client
  const counterOf = (client: string): string =>
    String(createHmac('sha256', secret).update(client).digest().readUInt32BE() % maxCounters);
  return { calls, seconds, count: (client) => countCall(limiter, counterOf(client)), close: () => undefined };
}

/** Counts failures, such as wrong tokens, in the memory of the process. */
export class FailureLimit {
  readonly #limiter: RateLimiter;
  readonly #blocked = new Map<string, number>();

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter;
  }

  /** The number of seconds until the client may try again, or 0. */
  blockedFor(client: string): number {
    const until = this.#blocked.get(client) ?? 0;
    const left = Math.ceil((until - Date.now()) / 1000);
    if (left <= 0) this.#blocked.delete(client);
    return Math.max(0, left);
  }

  async count(client: string): Promise<void> {
    const { isAllowed, remaining, seconds } = await this.#limiter.count(client);
    if (isAllowed && remaining > 0) return;
    const [oldest] = this.#blocked.keys();
    if (oldest !== undefined && this.#blocked.size >= maxCounters) this.#blocked.delete(oldest);
    this.#blocked.set(client, Date.now() + seconds * 1000);
  }
}

/** The number of wrong tokens that a client may send in a period. */
const failureLimit: RateLimit = { calls: 10, seconds: 60 };

export const openFailureLimit = async (): Promise<FailureLimit> =>
  new FailureLimit(await openMemoryLimiter(failureLimit));

/** The time limit for the first connection to Redis. After it, each process counts alone until Redis is available. */
const connectTimeoutMs = 2000;

async function openRedis(url: string): Promise<{ disconnect(): void }> {
  const { Redis } = await import('ioredis').catch(() => {
    throw new GatewayError('store-unavailable', 'A rate limit in Redis requires ioredis. Run npm install ioredis@5.');
  });
  const retryStrategy = (times: number): number => Math.min(times * 100, 2000);
  const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 1000, retryStrategy };
  const client = new Redis(url, options);
  client.on('error', () => undefined); // without a listener ioredis writes to the console
  const connected = new Promise<void>((resolve) => void client.once('ready', resolve));
  await Promise.race([connected, wait(connectTimeoutMs, undefined, { ref: false })]);
  return client;
}

async function countCall(limiter: RateLimiterAbstract, client: string): Promise<Allowance> {
  try {
    return toAllowance(await limiter.consume(client), true);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    return toAllowance(refusal as RateLimiterRes, false);
  }
}

const toAllowance = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Allowance => ({
  isAllowed,
  remaining: remainingPoints,
  seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
});
