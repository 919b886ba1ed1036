import { SafeMap } from '../../../platform/collections.js';
import { startTimeout, stopTimer } from '../../../platform/timers.js';
import type { PortMessage, Request } from './protocol.js';
import { timeouts } from './limits.js';

/** The identity of another copy of this script. */
export interface Sender {
  readonly window: Window;
  /** Serialized; "null" if opaque. */
  readonly origin: string;
  /** A random identifier. */
  readonly document: string;
}

/** Another copy of this script in the frame tree, and the channel to it. */
export class Peer implements Sender {
  readonly window: Window;
  readonly origin: string;
  readonly document: string;
  readonly ports: MessagePort[] = [];
  /** Whether the page that embeds the peer allows it to use tools; undefined if unknown. */
  isAllowed: boolean | undefined;
  /** The number of received `change` messages. */
  changeCount = 0;
  /** The time of the last announcement of a change. */
  changedAt = -Infinity;
  isChangePending = false;
  /** Functions that cancel the peer's calls of tools of this origin, by the peer's request number. */
  readonly calls = new SafeMap<number, () => void>();
  readonly #requests = new SafeMap<number, (value: unknown) => void>();
  #lastNumber = 0;

  constructor({ window, origin, document }: Sender) {
    this.window = window;
    this.origin = origin;
    this.document = document;
  }

  send(message: PortMessage): void {
    this.ports[0]?.postMessage(message);
  }

  /** Sends a request and returns its number. `onAnswer` is called with undefined if the channel is closed. */
  request(request: Request, onAnswer: (value: unknown) => void): number {
    const number = ++this.#lastNumber;
    this.#requests.set(number, onAnswer);
    this.send({ ...request, number });
    return number;
  }

  /** Resolves with the answer, or with undefined after a timeout. */
  requestWithTimeout(request: Request): Promise<unknown> {
    return new Promise((resolve) => {
      const number = this.request(request, (value) => {
        stopTimer(timer);
        resolve(value);
      });
      const timer = startTimeout(timeouts.response, () => this.receiveAnswer(number, undefined));
    });
  }

  receiveAnswer(number: number, value: unknown): void {
    const onAnswer = this.#requests.get(number);
    this.#requests.delete(number);
    onAnswer?.(value);
  }

  cancelRequest(number: number): void {
    if (this.#requests.delete(number)) this.send({ type: 'cancel', number });
  }

  receiveCancel(number: number): void {
    this.calls.get(number)?.();
    this.calls.delete(number);
  }

  /** Cancels the calls of the peer, answers the pending requests to the peer with undefined, and closes the ports. */
  close(): void {
    for (const cancel of this.calls.values()) cancel();
    this.calls.clear();
    for (const number of [...this.#requests.keys()]) this.receiveAnswer(number, undefined);
    for (const port of this.ports) port.close();
  }
}
