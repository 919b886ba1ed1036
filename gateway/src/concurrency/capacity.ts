import { GatewayError } from '../gateway-error.js';
import { CallQueue } from './call-queue.js';
import { FairLimit } from './fair-limit.js';

/** The limits of concurrent calls and of request bodies in memory. */
export interface CapacityLimits {
  /** The maximum number of running calls, during which the gateway sends requests to the site. @default 100 */
  readonly calls: number;
  /** The running calls of one client. @default half of `calls` */
  readonly clientCalls: number;
  /** The calls that may wait for others to end. @default 2000 */
  readonly queuedCalls: number;
  /** The waiting calls of one client. @default half of `queuedCalls` */
  readonly clientQueuedCalls: number;
  /** The maximum time that a call waits, in milliseconds. @default 30000 */
  readonly queueMilliseconds: number;
  /** The maximum total size of the bodies of all current requests, in bytes. @default 128000000 */
  readonly requestBytes: number;
  /** The bytes of the bodies of one client. @default a quarter of `requestBytes` */
  readonly clientRequestBytes: number;
}

const defaults = { calls: 100, queuedCalls: 2000, queueMilliseconds: 30_000, requestBytes: 128_000_000 };

/** The limits that all requests of a gateway share. */
export class Capacity {
  readonly calls: CallQueue;
  readonly #bytes: FairLimit;

  constructor(limits: Partial<CapacityLimits> = {}) {
    const { calls, queuedCalls, queueMilliseconds, requestBytes } = { ...defaults, ...limits };
    const { clientCalls = half(calls), clientQueuedCalls = half(queuedCalls) } = limits;
    const { clientRequestBytes = Math.ceil(requestBytes / 4) } = limits;
    this.calls = new CallQueue({ calls, clientCalls, queuedCalls, clientQueuedCalls, queueMilliseconds });
    this.#bytes = new FairLimit({ total: requestBytes, each: clientRequestBytes });
  }

  get heldBytes(): number {
    return this.#bytes.sum;
  }

  /** Counts the bytes of a request's body while it is held. */
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
export const createCapacity = (limits: Partial<CapacityLimits> = {}): Capacity => new Capacity(limits);
