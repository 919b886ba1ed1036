import type { RedisOptions } from 'ioredis';
import { createStorage, type Driver, type Storage } from 'unstorage';
import { startDeadline } from 'webmcp-forms/headless';
import { GatewayError } from '../gateway-error.js';
import { reasonOf, withAtomicStore, type AtomicStore } from '../stores/store.js';

/** Commands fail fast while the server is unavailable, and ioredis reconnects. */
const connectionOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(times * 100, 2000),
} as const satisfies RedisOptions;

/** The number of keys per round trip while keys are listed. */
const scanCount = 1000;

const defaultTimeouts = { connectTimeout: 4000, commandTimeout: 3000, socketTimeout: 4000 };

interface Client {
  connect(): Promise<void>;
  disconnect(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  get(key: string): Promise<string | null>;
  set(key: string, text: string, onlyIf: 'NX'): Promise<'OK' | null>;
  eval(script: string, keys: number, ...args: (string | number)[]): Promise<unknown>;
}

/** @throws {GatewayError} `store-unavailable`, without the password */
export async function openRedis(url: URL, prefix: string, timeouts = defaultTimeouts): Promise<Storage> {
  const createDriver = await loadDriver();
  const driver = createDriver({
    ...connectionOptions,
    ...timeouts,
    url: url.href,
    base: prefix,
    scanCount,
    lazyConnect: true,
  });
  const client = driver.getInstance?.() as Client;
  await connect(client, url, 2 * timeouts.connectTimeout);
  return withAtomicStore(createStorage({ driver }), atomicStore(client, prefix));
}

/** The driver's own types do not resolve in modules. */
type CreateDriver = (
  options: RedisOptions & { readonly url: string; readonly base: string; readonly scanCount: number },
) => Driver;

async function loadDriver(): Promise<CreateDriver> {
  try {
    return (await import('unstorage/drivers/redis')).default as CreateDriver;
  } catch (cause) {
    throw cannotOpen('A store in Redis', 'it requires ioredis. Run npm install ioredis@5', reasonOf(cause));
  }
}

async function connect(client: Client, url: URL, timeoutMs: number): Promise<void> {
  let lastError: unknown;
  client.on('error', (error) => (lastError = error)); // without a listener ioredis writes to the console
  const deadline = startDeadline({ milliseconds: timeoutMs, timeoutError: () => new Error('TIMEOUT') });
  try {
    await deadline.race(client.connect());
  } catch (error) {
    client.disconnect();
    const reason = reasonOf(lastError ?? error);
    throw cannotOpen(`The store ${url.protocol}//${url.host}`, explanations[reason] ?? reason, reason);
  } finally {
    deadline.clear();
  }
}

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ENOTFOUND: 'the host does not exist',
  WRONGPASS: 'the credentials are rejected',
  NOAUTH: 'a password is required',
  TIMEOUT: 'it does not respond',
  ETIMEDOUT: 'it does not respond',
  MaxRetriesPerRequestError: 'it does not respond',
};

const cannotOpen = (store: string, explanation: string, reason: string): GatewayError =>
  new GatewayError('store-unavailable', `${store} cannot be opened: ${explanation}.`, { cause: new Error(reason) });

/** Replaces or removes an item if it has not changed since it was read. */
const compareAndSet = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) end
return 1`;

function atomicStore(client: Client, prefix: string): AtomicStore {
  return {
    async create(key, text) {
      return (await client.set(`${prefix}:${key}`, text, 'NX')) === 'OK';
    },
    async update(key, change, seconds) {
      for (;;) {
        const before = await client.get(`${prefix}:${key}`);
        const text = await change(before);
        if (text === undefined) return;
        if ((await client.eval(compareAndSet, 1, `${prefix}:${key}`, before ?? '', text ?? '', seconds)) === 1) return;
      }
    },
  };
}
