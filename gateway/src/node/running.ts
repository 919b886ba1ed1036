import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export class PendingSet<Task> extends Set<Task> {
  #onEmpty: (() => void) | undefined;

  override delete(task: Task): boolean {
    const isDeleted = super.delete(task);
    if (this.size === 0) this.#onEmpty?.();
    return isDeleted;
  }

  async settled(timeoutMs: number): Promise<void> {
    if (this.size === 0) return;
    const timeout = new AbortController();
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve));
    await Promise.race([empty, wait(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
  }
}

export class RunningRequests {
  readonly #requests = new PendingSet<AbortController>();
  #isClosing = false;
  #isAborted = false;

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Whether requests were aborted by the timeout of `close`. */
  get isAborted(): boolean {
    return this.#isAborted;
  }

  get size(): number {
    return this.#requests.size;
  }

  track(request: Request, outgoing: ServerResponse): Request {
    const controller = new AbortController();
    this.#requests.add(controller);
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) controller.abort();
      this.#requests.delete(controller);
    });
    // A new Request would read the body as a stream, which is slower.
    return Object.defineProperty(request, 'signal', { value: controller.signal });
  }

  /** Waits for all responses. Aborts the requests that exceed the timeout. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosing = true;
    await this.#requests.settled(timeoutMs);
    this.#isAborted = true;
    for (const request of this.#requests) request.abort();
    await this.#requests.settled(1000);
  }
}
