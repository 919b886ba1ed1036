import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** The requests that are being answered. */
export class Running {
  readonly #requests = new Set<AbortController>();
  #isClosing = false;
  #isOver = false;
  #whenNone: (() => void) | undefined;

  /** Whether no more requests are to be answered. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  get size(): number {
    return this.#requests.size;
  }

  /** Whether those that still ran were ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The same request with a signal that is aborted when nobody waits for its answer any more. */
  follow(request: Request, outgoing: ServerResponse): Request {
    const controller = new AbortController();
    this.#requests.add(controller);
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) controller.abort();
      this.#requests.delete(controller);
      if (this.#requests.size === 0) this.#whenNone?.();
    });
    // A new request would have to read the body as a stream, which takes longer.
    return Object.defineProperty(request, 'signal', { value: controller.signal });
  }

  /** Waits until all are answered, and ends those that are not in time. */
  async close(milliseconds: number): Promise<void> {
    this.#isClosing = true;
    await this.#none(milliseconds);
    this.#isOver = true;
    for (const request of this.#requests) request.abort();
    await this.#none(1000);
  }

  async #none(milliseconds: number): Promise<void> {
    if (this.#requests.size === 0) return;
    const timeout = new AbortController();
    const none = new Promise<void>((resolve) => (this.#whenNone = resolve));
    await Promise.race([none, wait(milliseconds, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
  }
}
