import { error, type Problems } from './problems.js';

/** What looks after a part of a tool, and is told what that is to be. */
export interface Part<Spec> {
  readonly set: (spec: Spec | undefined) => void;
}

export type MakePart<Made> = (element: HTMLElement, problems: Problems) => Made;

/** Loads once for all, so that elements get it in their order, and at once when it has been loaded; again if that fails. */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  return async () => {
    try {
      return await (loading ??= load());
    } catch (cause) {
      loading = undefined;
      throw cause;
    }
  };
}

/** A part of a `<webmcp-tool>`: what looks after it is loaded when there is to be one, so that other tools cost less. */
export class Late<Spec, Made extends Part<Spec>> {
  readonly #element: HTMLElement;
  readonly #problems: Problems;
  readonly #what: string;
  readonly #load: () => Promise<MakePart<Made>>;
  #spec: Spec | undefined;
  #part: Made | undefined;
  #loading: AbortController | undefined;

  /** @param what - what messages call the part */
  constructor(element: HTMLElement, problems: Problems, what: string, load: () => Promise<MakePart<Made>>) {
    this.#element = element;
    this.#problems = problems;
    this.#what = what;
    this.#load = load;
  }

  /** Takes what the element says now; undefined if it has no such part. */
  set(spec: Spec | undefined): void {
    this.#spec = spec;
    if (this.#part) this.#part.set(spec);
    else if (spec) void this.#start();
    else this.#end();
  }

  /** Undefined as long as there is none. */
  get part(): Made | undefined {
    return this.#part;
  }

  /** The element keeps its place among those that wait, and says then what it says last. */
  async #start(): Promise<void> {
    if (this.#loading) return;
    const { signal } = (this.#loading = new AbortController());
    try {
      const make = await this.#load();
      if (signal.aborted) return;
      this.#part = make(this.#element, this.#problems);
    } catch (cause) {
      if (!signal.aborted) this.#fail(cause);
      return;
    }
    this.#end();
    this.#part.set(this.#spec);
  }

  #end(): void {
    this.#loading?.abort();
    this.#loading = undefined;
    this.#problems.set(`load ${this.#what}`, []);
  }

  /** The next change tries again. */
  #fail(cause: unknown): void {
    this.#loading = undefined;
    const message = `The ${this.#what} could not be registered: ${String(cause)}`;
    this.#problems.set(`load ${this.#what}`, [error('registration-failed', message)]);
  }
}
