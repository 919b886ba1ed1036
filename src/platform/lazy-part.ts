import { SafeSet } from './collections.js';

/**
 * Steps that run when a part has been loaded. The users of the part wait for the promise that the steps return. Steps must
 * not return `loading`, the promise of `load`, because it would wait for itself.
 */
type LoadSteps<Part> = (part: Part, loading: Promise<void> | undefined) => Promise<void> | void;

/** Modules that are loaded at their first use. After a failure, the next use retries. */
export class LazyPart<Part extends object> {
  readonly #import: () => Part | Promise<Part>;
  readonly #steps = new SafeSet<LoadSteps<Part>>();
  #part: Part | undefined;
  #loading: Promise<void> | undefined;

  /** @param load - returns the exports of the modules, or a promise of them if the modules have to be loaded */
  constructor(load: () => Part | Promise<Part>) {
    this.#import = load;
  }

  /** Runs steps after loading, or at once if the part is loaded. Returns a function that removes the steps. */
  onLoad(steps: LoadSteps<Part>): () => void {
    this.#steps.add(steps);
    if (this.#part) void this.load();
    return () => this.#steps.delete(steps);
  }

  /** Loads the part. Returns undefined if it is already loaded, otherwise a promise that rejects if loading fails. */
  load(): Promise<void> | undefined {
    if (this.#loading) return this.#loading;
    const part = this.#part ?? this.#import();
    const pending = 'then' in part ? part : this.#notify(part);
    if (pending) this.#loading = this.#settle(pending);
    return this.#loading;
  }

  /** Loads the part, and runs steps with it. If it is already loaded, the steps run synchronously. */
  use(steps?: (part: Part) => void, onError?: (error: unknown) => void): void {
    const loading = this.load();
    if (loading) void this.#useLater(loading, steps, onError);
    else steps?.(this.#part as Part);
  }

  /** @param pending - the part, or the steps of the loaded part */
  async #settle(pending: Promise<Part | void>): Promise<void> {
    try {
      const part = await pending;
      if (part) await this.#notify(part);
    } finally {
      this.#loading = undefined;
    }
  }

  /** Runs the steps, including steps that they add. */
  #notify(part: Part): Promise<void> | undefined {
    this.#part = part;
    for (const steps of this.#steps) {
      this.#steps.delete(steps);
      const pending = steps(part, this.#loading);
      if (pending) return this.#notifyLater(pending, steps, part);
    }
    return undefined;
  }

  /** Steps that fail run again at the next use. */
  async #notifyLater(pending: Promise<void>, steps: LoadSteps<Part>, part: Part): Promise<void> {
    try {
      await pending;
    } catch (error) {
      this.#steps.add(steps);
      throw error;
    }
    await this.#notify(part);
  }

  async #useLater(
    loading: Promise<void>,
    steps?: (part: Part) => void,
    onError?: (error: unknown) => void,
  ): Promise<void> {
    try {
      await loading;
      steps?.(this.#part as Part);
    } catch (error) {
      onError?.(error);
    }
  }
}
