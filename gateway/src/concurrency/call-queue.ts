import { GatewayError } from '../gateway-error.js';
import type { CapacityLimits } from './capacity.js';
import { FairLimit } from './fair-limit.js';

type CallLimits = Omit<CapacityLimits, 'requestBytes' | 'clientRequestBytes'>;

interface QueuedBy {
  /** The client whose limits apply. */
  readonly client?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Limits the calls that run at the same time. Others wait in a queue with limits of its own. The next call is one of the
 * client with the fewest running calls, so that a client with many calls does not delay the others.
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
