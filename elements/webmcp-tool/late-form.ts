import type { FormSpec, FormTool } from './form-tool.js';
import { error, type Problems } from './problems.js';

/** Shared, so that elements get it in their order, and at once when it has been loaded. */
let source: Promise<typeof import('./form-tool.js')> | undefined;

/** The form of a `<webmcp-tool>`: what looks after it is loaded when there is to be one, so that other tools cost less. */
export class LateForm {
  readonly #element: HTMLElement;
  readonly #problems: Problems;
  #spec: FormSpec | undefined;
  #tool: FormTool | undefined;
  #loading: AbortController | undefined;

  constructor(element: HTMLElement, problems: Problems) {
    this.#element = element;
    this.#problems = problems;
  }

  /** Takes what the element says now; undefined if it has no form. */
  set(spec: FormSpec | undefined): void {
    this.#spec = spec;
    if (this.#tool) this.#tool.set(spec);
    else if (spec) void this.#load();
    else this.#end();
  }

  /** Undefined as long as there is none. */
  get tool(): FormTool | undefined {
    return this.#tool;
  }

  /** Tells what is wrong with the form as it is now. */
  diagnose(): void {
    this.#tool?.diagnose();
  }

  /** The element keeps its place among those that wait, and says then what it says last. */
  async #load(): Promise<void> {
    if (this.#loading) return;
    const { signal } = (this.#loading = new AbortController());
    try {
      const { FormTool } = await (source ??= import('./form-tool.js'));
      if (signal.aborted) return;
      this.#tool = new FormTool(this.#element, this.#problems);
    } catch (cause) {
      source = undefined;
      if (!signal.aborted) this.#fail(cause);
      return;
    }
    this.#end();
    this.#tool.set(this.#spec);
  }

  #end(): void {
    this.#loading?.abort();
    this.#loading = undefined;
    this.#problems.set('load', []);
  }

  /** The next change tries again. */
  #fail(cause: unknown): void {
    this.#loading = undefined;
    this.#problems.set('load', [error('registration-failed', `The form could not be registered: ${String(cause)}`)]);
  }
}
