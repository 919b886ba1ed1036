import type { RedisOptions } from 'ioredis';
import { createStorage, type Driver, type Storage } from 'unstorage';
import { GatewayError } from '../gateway-error.js';
import { reasonOf, withAtomicStore, type AtomicStore } from '../stores/store.js';

/** How a lost or silent server is met: a command fails at once or soon, and the connection is made again by itself. */
const patience = {
  connectTimeout: 4000,
  commandTimeout: 3000,
  socketTimeout: 4000,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(times * 100, 2000),
} as const satisfies RedisOptions;

/** The part of ioredis that is used. */
interface Client {
  connect(): Promise<void>;
  disconnect(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  get(key: string): Promise<string | null>;
  set(key: string, text: string, onlyIf: 'NX'): Promise<'OK' | null>;
  eval(script: string, keys: number, ...words: (string | number)[]): Promise<unknown>;
}

/**
 * Opens a Redis, or what speaks its protocol.
 *
 * @param prefix - of all keys
 * @throws {GatewayError} `store-unavailable`, without the password
 */
export async function openRedis(url: URL, prefix: string): Promise<Storage> {
  const createDriver = await loadDriver();
  const driver = createDriver({ ...patience, url: url.href, base: prefix, lazyConnect: true });
  const client = driver.getInstance?.() as Client;
  await connect(client, url);
  return withAtomicStore(createStorage({ driver }), atomicRedis(client, prefix));
}

/** Its own types do not resolve in modules. */
type CreateDriver = (options: RedisOptions & { readonly url: string; readonly base: string }) => Driver;

async function loadDriver(): Promise<CreateDriver> {
  try {
    return (await import('unstorage/drivers/redis')).default as CreateDriver;
  } catch (cause) {
    throw cannotOpen('A store in Redis', 'it needs ioredis: npm install ioredis@5', reasonOf(cause));
  }
}

async function connect(client: Client, url: URL): Promise<void> {
  let last: unknown;
  client.on('error', (error) => (last = error)); // without a listener ioredis writes to the console
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error('TIMEOUT'));
    }, 2 * patience.connectTimeout);
  });
  try {
    await Promise.race([client.connect(), timeout]);
  } catch (error) {
    client.disconnect();
    throw refused(url, reasonOf(last ?? error));
  } finally {
    clearTimeout(timer);
  }
}

const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  WRONGPASS: 'it refuses the credentials',
  NOAUTH: 'it wants a password',
  TIMEOUT: 'it does not answer',
  ETIMEDOUT: 'it does not answer',
  MaxRetriesPerRequestError: 'it does not answer',
};

const refused = ({ protocol, host }: URL, reason: string): GatewayError =>
  cannotOpen(`The store ${protocol}//${host}`, advice[reason] ?? reason, reason);

const cannotOpen = (store: string, why: string, reason: string): GatewayError =>
  new GatewayError('store-unavailable', `${store} cannot be opened: ${why}.`, { cause: new Error(reason) });

/** Puts an item in the place of another, if that is still the one that was read. */
const replaceScript = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1`;

function atomicRedis(client: Client, prefix: string): AtomicStore {
  return {
    async create(key, text) {
      return (await client.set(`${prefix}:${key}`, text, 'NX')) === 'OK';
    },
    async update(key, change, seconds) {
      for (;;) {
        const before = await client.get(`${prefix}:${key}`);
        const text = change(before);
        if (text === undefined) return;
        if ((await client.eval(replaceScript, 1, `${prefix}:${key}`, before ?? '', text, seconds)) === 1) return;
      }
    },
  };
}
