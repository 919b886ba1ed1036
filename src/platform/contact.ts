import { SafeSet } from './collections.js';

/**
 * Steps that run at the first contact. Others wait for the promise that they return, so it must not be `making`: the promise
 * of the contact that is being made, which is undefined if the part is there.
 */
export type ContactSteps<Part> = (part: Part, making: Promise<void> | undefined) => Promise<void> | void;

/** The part of the script that serves agents. It is loaded at the first contact; if that fails, the next one tries again. */
export class Contact<Part> {
  readonly #load: () => Part | Promise<Part>;
  readonly #listeners = new SafeSet<ContactSteps<Part>>();
  #part: Part | undefined;
  #making: Promise<void> | undefined;

  constructor(load: () => Part | Promise<Part>) {
    this.#load = load;
  }

  /** Runs steps at the first contact, or at once after it. Returns a function that removes them. */
  onMade(steps: ContactSteps<Part>): () => void {
    this.#listeners.add(steps);
    if (this.#part) void this.made();
    return () => this.#listeners.delete(steps);
  }

  /** Makes contact. Returns undefined if the part is there, else a promise that rejects if it could not be loaded. */
  made(): Promise<void> | undefined {
    if (this.#making) return this.#making;
    const part = this.#part ?? this.#load();
    const result = part instanceof Promise ? this.#receive(part) : this.#notify(part);
    if (result) this.#making = this.#untilEnd(result);
    return this.#making;
  }

  /** Makes contact, and runs steps with the part: at once if it is there. */
  make(steps?: (part: Part) => void, onError?: (error: unknown) => void): void {
    const making = this.made();
    if (making) void this.#later(making, steps, onError);
    else steps?.(this.#part as Part);
  }

  async #receive(loading: Promise<Part>): Promise<void> {
    await this.#notify(await loading);
  }

  /** Runs the steps, also those that the steps add. */
  #notify(part: Part): Promise<void> | undefined {
    this.#part = part;
    for (const steps of this.#listeners) {
      this.#listeners.delete(steps);
      const pending = steps(part, this.#making);
      if (pending) return this.#notifyLater(pending, steps, part);
    }
    return undefined;
  }

  /** Steps that fail run at the next contact again. */
  async #notifyLater(pending: Promise<void>, steps: ContactSteps<Part>, part: Part): Promise<void> {
    try {
      await pending;
    } catch (error) {
      this.#listeners.add(steps);
      throw error;
    }
    await this.#notify(part);
  }

  async #untilEnd(making: Promise<void>): Promise<void> {
    try {
      await making;
    } finally {
      this.#making = undefined;
    }
  }

  async #later(making: Promise<void>, steps?: (part: Part) => void, onError?: (error: unknown) => void): Promise<void> {
    try {
      await making;
      steps?.(this.#part as Part);
    } catch (error) {
      onError?.(error);
    }
  }
}
