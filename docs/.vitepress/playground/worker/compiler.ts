import { limits } from '../limits.js';
import type { Comparison, FormInspection, PageReading } from '../reading.js';
import type { WorkerRequest, WorkerResponse } from './messages.js';

type Unnumbered<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

interface Pending {
  readonly id: number;
  readonly resolve: (response: WorkerResponse) => void;
  readonly reject: (reason: Error) => void;
}

/** The worker did not answer in time, and was ended. */
export class StoppedError extends Error {}

/** The compiler in a worker, which is replaced if it does not answer. */
export class Compiler {
  #worker = startWorker();
  #pending: Pending[] = [];
  #lastId = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#listen();
  }

  async read(source: string): Promise<PageReading> {
    return (await this.#request({ kind: 'read', source }, 'read')).reading;
  }

  /** Compares the forms that were read last with those of the frame. */
  async compare(forms: string): Promise<Comparison> {
    return (await this.#request({ kind: 'compare', forms }, 'compare')).comparison;
  }

  /** Inspects a form of the page that was read last. */
  async inspect(form: number): Promise<FormInspection | undefined> {
    return (await this.#request({ kind: 'inspect', form }, 'inspect')).inspection;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#worker.terminate();
  }

  #listen(): void {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => this.#receive(data));
  }

  async #request<Kind extends WorkerResponse['kind']>(
    request: Unnumbered<WorkerRequest>,
    kind: Kind,
  ): Promise<Extract<WorkerResponse, { readonly kind: Kind }>> {
    const response = await this.#send(request);
    if (isKind(response, kind)) return response;
    throw new Error(response.kind === 'failed' ? response.message : response.kind);
  }

  #send(request: Unnumbered<WorkerRequest>): Promise<WorkerResponse> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.push({ id, resolve, reject });
      this.#worker.postMessage({ ...request, id });
      this.#timer ??= this.#startTimer();
    });
  }

  #receive(response: WorkerResponse): void {
    clearTimeout(this.#timer);
    const index = this.#pending.findIndex(({ id }) => id === response.id);
    const [answered] = index < 0 ? [] : this.#pending.splice(index, 1);
    this.#timer = this.#pending.length > 0 ? this.#startTimer() : undefined;
    answered?.resolve(response);
  }

  #startTimer(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#restart(), limits.readMs);
  }

  #restart(): void {
    this.#worker.terminate();
    this.#worker = startWorker();
    this.#listen();
    this.#timer = undefined;
    const message = `Reading the page took more than ${limits.readMs / 1000} seconds and was stopped. Shorten the page.`;
    for (const { reject } of this.#pending.splice(0)) reject(new StoppedError(message));
  }
}

const isKind = <Kind extends WorkerResponse['kind']>(
  response: WorkerResponse,
  kind: Kind,
): response is Extract<WorkerResponse, { readonly kind: Kind }> => response.kind === kind;

const startWorker = (): Worker => new Worker(new URL('./compile-worker.ts', import.meta.url), { type: 'module' });
