import { setTimeout as wait } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { GatewayError } from '../gateway-error.js';

/** The number of calls that each client may make in a period. */
export interface RateLimit {
  readonly calls: number;
  readonly seconds: number;
}

export interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** The time until the limit resets. */
  readonly seconds: number;
}

export interface RateLimiter extends RateLimit {
  /** @throws {Error} if the counter fails */
  count(client: string): Promise<Allowance>;
  close(): void;
}

export interface RateLimiterOptions extends RateLimit {
  /** Gateways of the same name share their counters in a Redis. */
  readonly name: string;
  /** The URL of a Redis for shared counters. While it is unavailable, each process counts alone. */
  readonly redis?: string;
}

/**
 * Opens a rate limiter in Redis or in memory.
 *
 * @throws {GatewayError} `store-unavailable` if Redis is configured and ioredis is not installed
 */
export async function openRateLimiter({ calls, seconds, name, redis }: RateLimiterOptions): Promise<RateLimiter> {
  const { RateLimiterMemory, RateLimiterRedis } = await import('rate-limiter-flexible');
  const options = { points: calls, duration: seconds, keyPrefix: `webmcp-forms:rate:${encodeURIComponent(name)}` };
  const memory = new RateLimiterMemory(options);
  const client = redis === undefined ? undefined : await openRedis(redis);
  const limiter = client
    ? new RateLimiterRedis({ ...options, storeClient: client, rejectIfRedisNotReady: true, insuranceLimiter: memory })
    : memory;
  return {
    calls,
    seconds,
    count: (address) => countCall(limiter, address),
    close: () => client?.disconnect(),
  };
}

/** The time limit for the first connection to Redis. After it, each process counts alone. */
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

async function countCall(limiter: RateLimiterAbstract, address: string): Promise<Allowance> {
  try {
    return toAllowance(await limiter.consume(address), true);
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

/**
 * The key of a client: its IPv4 address, or the first 64 bits of its IPv6 address, because one network has many
 * addresses.
 *
 * @param socket - the address of the connection
 * @param forwarded - the header of a proxy. Only the last address in a list was added by the proxy itself
 */
export function clientKey(socket: string | undefined, forwarded: string | undefined): string {
  const address = parseAddress(forwarded?.split(',').at(-1) ?? '') ?? parseAddress(socket ?? '');
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  const network = (address as ipaddr.IPv6).parts.slice(0, 4);
  return network.map((part) => part.toString(16)).join(':');
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const trimmed = text.trim();
  const withoutPort = trimmed.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  const address = [trimmed, withoutPort].find((each) => ipaddr.isValid(each));
  return address === undefined ? undefined : ipaddr.process(address);
}
