/** Runs an asynchronous update after changes, never twice at the same time. */
export class Updates {
  readonly #update: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  /** Whether the delay has ended while an update was running. */
  #isDue = false;
  #isEnded = false;
  /** The callers that wait for the end of the pending update. */
  #waiting: (() => void)[] = [];
  /** Whether something has changed since the running update began. */
  isRequested = false;

  constructor(update: () => Promise<void>) {
    this.#update = update;
  }

  /** Whether the page has changed since the last update that ended. */
  get isPending(): boolean {
    return this.#isRunning || this.isRequested;
  }

  /** Resolves when no update is pending. */
  settled(): Promise<void> {
    return this.isPending ? new Promise((resolve) => void this.#waiting.push(resolve)) : Promise.resolve();
  }

  request(delayMs: number): void {
    this.isRequested = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), delayMs);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#isDue = this.#isRunning;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.isRequested = false;
    await this.#update();
    this.#isRunning = false;
    if (this.#isDue && !this.#isEnded) await this.#run();
    if (!this.isPending) for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
