import { GatewayError } from '../gateway-error.js';
import type { Storage, StoreRunner } from './store.js';

/** The limit of all clients together, as a multiple of the limit of one client. */
const clientShare = 5;

const countLifetimeMs = 60_000;
const fullCountLifetimeMs = 1000;

interface Count {
  readonly time: number;
  total: number;
  /** The sessions that this process has created since `time`. */
  created: number;
  readonly byClient: Map<string, number>;
}

export const sessionIdPattern = /^[\da-f]{64}$/;

/** The length of the client's prefix in the ID of a session. */
export const clientLength = 16;

/**
 * Limits the sessions in a store. Counts them again after a minute, after a second if a limit is reached, and when this
 * process has created a tenth of the limit. Several processes together may therefore exceed the limit slightly.
 */
export class SessionQuota {
  readonly #storage: Storage;
  readonly #run: StoreRunner;
  readonly #max: number;
  #count: Promise<Count> | undefined;
  #known: Count | undefined;

  constructor(storage: Storage, run: StoreRunner, max: number) {
    [this.#storage, this.#run, this.#max] = [storage, run, max];
  }

  /**
   * Counts a new session.
   *
   * @param client - the beginning of the IDs of the client's sessions; undefined if only the limit of all clients
   * applies
   * @throws {GatewayError} `session-limit`
   */
  async add(client: string | undefined): Promise<void> {
    let count = this.#known;
    if (!count || this.#isStale(count, client)) count = await this.#recount();
    const reason = this.#problem(count, client);
    if (reason !== undefined) throw new GatewayError('session-limit', `${reason} ${advice}`);
    count.total++;
    count.created++;
    if (client !== undefined) count.byClient.set(client, (count.byClient.get(client) ?? 0) + 1);
  }

  #isStale(count: Count, client: string | undefined): boolean {
    const age = Math.abs(Date.now() - count.time);
    const isFull = this.#problem(count, client) !== undefined;
    return age > (isFull ? fullCountLifetimeMs : countLifetimeMs) || count.created > this.#max / 10;
  }

  #problem({ total, byClient }: Count, client: string | undefined): string | undefined {
    const ofClient = client === undefined ? 0 : (byClient.get(client) ?? 0);
    if (ofClient >= this.#max) return `The client has ${this.#max} sessions, which is the limit.`;
    const max = this.#max * clientShare;
    return total >= max ? `The store has ${max} sessions, which is the limit.` : undefined;
  }

  /** Counts the sessions. If the store cannot list them in time, only the new sessions of this process are counted. */
  #recount(): Promise<Count> {
    this.#count ??= this.#read()
      .catch(() => countOf([]))
      .then((count) => {
        this.#count = undefined;
        return (this.#known = count);
      });
    return this.#count;
  }

  async #read(): Promise<Count> {
    const keys = await this.#run(() => this.#storage.getKeys());
    return countOf(keys.filter((key) => sessionIdPattern.test(key)));
  }
}

function countOf(ids: readonly string[]): Count {
  const byClient = new Map<string, number>();
  for (const id of ids) {
    const client = id.slice(0, clientLength);
    byClient.set(client, (byClient.get(client) ?? 0) + 1);
  }
  return { time: Date.now(), total: ids.length, created: 0, byClient };
}

const advice = 'Use the same session again, or wait until sessions expire. The operator can raise maxSessions.';
