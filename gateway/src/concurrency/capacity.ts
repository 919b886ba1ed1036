import { GatewayError } from '../gateway-error.js';

/** The limits of concurrent calls and of request bodies in memory. */
export interface CapacityLimits {
  /** The maximum number of running calls, which send requests to the site. @default 100 */
  readonly calls?: number | undefined;
  /** The maximum number of running calls of one client. @default half of `calls` */
  readonly clientCalls?: number | undefined;
  /** The maximum number of waiting calls. @default 2000 */
  readonly queuedCalls?: number | undefined;
  /** The maximum number of waiting calls of one client. @default half of `queuedCalls` */
  readonly clientQueuedCalls?: number | undefined;
  /** The maximum time that a call waits, in milliseconds. @default 30000 */
  readonly queueMilliseconds?: number | undefined;
  /** The maximum total size of the bodies of all current requests, in bytes. @default 128000000 */
  readonly requestBytes?: number | undefined;
  /** The maximum total size of the bodies of one client, in bytes. @default a quarter of `requestBytes` */
  readonly clientRequestBytes?: number | undefined;
}

/** The limits that all requests of a gateway share. */
export class Capacity {
  readonly calls: CallQueue;
  readonly #bytes: FairLimit;

  constructor(limits: CapacityLimits = {}) {
    const { calls = 100, queuedCalls = 2000, queueMilliseconds = 30_000, requestBytes = 128_000_000 } = limits;
    const { clientCalls = half(calls), clientQueuedCalls = half(queuedCalls) } = limits;
    const { clientRequestBytes = Math.ceil(requestBytes / 4) } = limits;
    this.calls = new CallQueue({ calls, clientCalls, queuedCalls, clientQueuedCalls, queueMilliseconds });
    this.#bytes = new FairLimit({ total: requestBytes, each: clientRequestBytes });
  }

  get heldBytes(): number {
    return this.#bytes.sum;
  }

  holdBody(client: string | undefined): HeldBody {
    let held = 0;
    return {
      add: (bytes) => {
        if (!this.#bytes.hasRoom(client, bytes)) throw tooManyBytes(this.#bytes.isUsedUpBy(client, bytes));
        this.#bytes.add(client, bytes);
        held += bytes;
      },
      release: () => {
        this.#bytes.add(client, -held);
        held = 0;
      },
    };
  }
}

export interface HeldBody {
  /** @throws {GatewayError} `overloaded` */
  add(bytes: number): void;
  release(): void;
}

const half = (count: number): number => Math.ceil(count / 2);

function tooManyBytes(isOfClient: boolean): GatewayError {
  const who = isOfClient ? 'This client sends' : 'The gateway receives';
  return new GatewayError(
    'overloaded',
    `${who} too many large requests at the same time. Send the request again later.`,
  );
}

/**
 * Creates the capacity of a gateway. Pass it to `createGateway` and `createMcpHandler`, so that they share it.
 *
 * @example
 * const options = { baseUrl: 'https://shop.example/', capacity: createCapacity({ calls: 20 }) };
 */
export const createCapacity = (limits: CapacityLimits = {}): Capacity => new Capacity(limits);

type CallLimits = Readonly<
  Record<'calls' | 'clientCalls' | 'queuedCalls' | 'clientQueuedCalls' | 'queueMilliseconds', number>
>;

interface QueuedBy {
  readonly client?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Limits the calls that run at the same time. Other calls wait in a queue with limits of its own. The client with the
 * fewest running calls is next, so that a client with many calls does not delay other clients.
 */
export class CallQueue {
  readonly #running: FairLimit;
  readonly #queued: FairLimit;
  readonly #waiting = new Set<Waiter>();
  readonly #milliseconds: number;

  constructor({ calls, clientCalls, queuedCalls, clientQueuedCalls, queueMilliseconds }: CallLimits) {
    this.#running = new FairLimit({ total: calls, each: clientCalls });
    this.#queued = new FairLimit({ total: queuedCalls, each: clientQueuedCalls });
    this.#milliseconds = queueMilliseconds;
  }

  get running(): number {
    return this.#running.sum;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** @throws {GatewayError} `overloaded` if the queue is full or the call waits too long, `aborted` */
  async run<Result>(work: () => Promise<Result>, by: QueuedBy = {}): Promise<Result> {
    const leave = this.#running.take(by.client) ?? (await this.#wait(by));
    try {
      return await work();
    } finally {
      leave();
      this.#startNext();
    }
  }

  #wait({ client, signal }: QueuedBy): Promise<() => void> {
    const leaveQueue = this.#queued.take(client);
    if (!leaveQueue) throw overloaded(this.#queued.isUsedUpBy(client) ? 'This client has' : 'The gateway has');
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(waiter);
        leaveQueue();
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (error: GatewayError): void => {
        end();
        reject(error);
      };
      const onAbort = (): void =>
        fail(new GatewayError('aborted', 'The call was canceled.', { cause: signal?.reason }));
      const onTimeout = (): void =>
        fail(overloaded(`The call has waited for ${this.#milliseconds / 1000} s, because the gateway has`));
      const timer = setTimeout(onTimeout, this.#milliseconds);
      const waiter: Waiter = { client, start: (leave) => (end(), resolve(leave)) };
      this.#waiting.add(waiter);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort);
    });
  }

  #startNext(): void {
    let next: Waiter | undefined;
    for (const waiter of this.#waiting) {
      if (!this.#running.hasRoom(waiter.client)) continue;
      if (!next || this.#running.usedBy(waiter.client) < this.#running.usedBy(next.client)) next = waiter;
    }
    const leave = next && this.#running.take(next.client);
    if (leave) next?.start(leave);
  }
}

interface Waiter {
  readonly client: string | undefined;
  readonly start: (leave: () => void) => void;
}

const overloaded = (who: string): GatewayError =>
  new GatewayError(
    'overloaded',
    `${who} too many calls at the same time. Nothing was submitted. Send the call again later.`,
  );

/** A resource that clients share, with a limit for all clients together and a limit for each client. */
export class FairLimit {
  readonly #total: number;
  readonly #each: number;
  readonly #used = new Map<string, number>();
  #sum = 0;

  /** @param each - the limit for each client. Without a known client, it only limits each single amount */
  constructor({ total, each }: { readonly total: number; readonly each: number }) {
    this.#total = total;
    this.#each = each;
  }

  get sum(): number {
    return this.#sum;
  }

  usedBy(client: string | undefined): number {
    return client === undefined ? 0 : (this.#used.get(client) ?? 0);
  }

  hasRoom(client: string | undefined, amount = 1): boolean {
    return this.#sum + amount <= this.#total && this.usedBy(client) + amount <= this.#each;
  }

  /** Whether the amount would exceed the limit of the client. */
  isUsedUpBy(client: string | undefined, amount = 1): boolean {
    return this.usedBy(client) + amount > this.#each;
  }

  /** Reserves an amount. Returns a function that releases it, or undefined if the limit would be exceeded. */
  take(client: string | undefined, amount = 1): (() => void) | undefined {
    if (!this.hasRoom(client, amount)) return undefined;
    this.add(client, amount);
    let isTaken = true;
    return () => {
      if (isTaken) this.add(client, -amount);
      isTaken = false;
    };
  }

  /** Reserves an amount without checking the limits. A negative amount is released. */
  add(client: string | undefined, amount: number): void {
    this.#sum += amount;
    if (client === undefined) return;
    const used = this.usedBy(client) + amount;
    if (used > 0) this.#used.set(client, used);
    else this.#used.delete(client);
  }
}
