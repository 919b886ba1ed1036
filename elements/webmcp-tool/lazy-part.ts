import { error, type Diagnostics } from './diagnostics.js';
import type { FormTool } from './form/form-tool.js';
import { answerOf, ToolRegistration } from './tool-registration.js';
import type { WebtoolTools } from './webtool.js';

/** A lazily loaded controller. `set` receives the specification, or undefined if the element has no such part. */
interface Part<Spec> {
  readonly set: (spec: Spec | undefined) => void;
}

type CreatePart<Created> = (element: HTMLElement, diagnostics: Diagnostics) => Created;

/** Loads once for all elements, which resume in order. The next call retries a failed load. */
function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
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

export const loadForm = loadOnce(async (): Promise<CreatePart<FormTool>> => {
  const { FormTool } = await import('./form/form-tool.js');
  return (element, diagnostics) => new FormTool(element, diagnostics);
});

/** Loads the controller and the webtool client at the same time. */
export const loadWebtool = loadOnce(async (): Promise<CreatePart<WebtoolTools>> => {
  const [{ WebtoolTools }, client] = await Promise.all([
    import('./webtool.js'),
    import('../../src/webtool-client/index.js'),
  ]);
  return (element, diagnostics) => new WebtoolTools(element, diagnostics, { client, ToolRegistration, answerOf });
});

/** A part of a `<webmcp-tool>` whose controller is loaded when it is first needed. */
export class LazyPart<Spec, Created extends Part<Spec>> {
  readonly #element: HTMLElement;
  readonly #diagnostics: Diagnostics;
  readonly #name: string;
  readonly #load: () => Promise<CreatePart<Created>>;
  #spec: Spec | undefined;
  #part: Created | undefined;
  #loading: AbortController | undefined;

  /** @param name - names the part in messages */
  constructor(element: HTMLElement, diagnostics: Diagnostics, name: string, load: () => Promise<CreatePart<Created>>) {
    this.#element = element;
    this.#diagnostics = diagnostics;
    this.#name = name;
    this.#load = load;
  }

  set(spec: Spec | undefined): void {
    this.#spec = spec;
    if (this.#part) this.#part.set(spec);
    else if (spec) void this.#start();
    else this.#end();
  }

  get part(): Created | undefined {
    return this.#part;
  }

  async #start(): Promise<void> {
    if (this.#loading) return;
    const { signal } = (this.#loading = new AbortController());
    try {
      const create = await this.#load();
      if (signal.aborted) return;
      this.#part = create(this.#element, this.#diagnostics);
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
    this.#diagnostics.set(`load ${this.#name}`, []);
  }

  /** The next change of the element retries. */
  #fail(cause: unknown): void {
    this.#loading = undefined;
    const message = `The ${this.#name} could not be registered: ${String(cause)}`;
    this.#diagnostics.set(`load ${this.#name}`, [error('registration-failed', message)]);
  }
}
