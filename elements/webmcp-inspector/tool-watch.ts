import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ModelContext } from '../../src/index.js';
import { documentOf } from './sources.js';
import { listingOf, type Mark, type ToolEntry } from './tools.js';

export type WatchState = 'loading' | 'ready' | 'insecure' | 'missing' | 'refused';

/** How often, at most, the tools are read while they keep changing, and how long a change is marked. Milliseconds. */
const pace = { least: 100, most: 2000, share: 8, lookForContext: 500, mark: 2000 };

const wait = (milliseconds: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

interface Host extends ReactiveControllerHost {
  readonly isShown: boolean;
}

/** The page has a model context now. */
type OnContext = (context: ModelContext, signal: AbortSignal) => void;

/** Keeps the list of the page's tools while its host is in a document, and up to date while it is shown. */
export class ToolWatch implements ReactiveController {
  entries: readonly ToolEntry[] = [];
  /** What has just changed, by its key. */
  marks: ReadonlyMap<string, Mark> = new Map();
  state: WatchState = 'loading';
  reason = '';
  readonly #host: Host;
  readonly #onContext: OnContext;
  #byKey: ReadonlyMap<string, ToolEntry> = new Map();
  #life = new AbortController();
  #context: ModelContext | undefined;
  #isStale = true;
  #isBusy = false;
  #next = 0;
  #windows = new WeakSet<Window>();
  #marked: readonly ReadonlyMap<string, Mark>[] = [];

  constructor(host: Host, onContext: OnContext) {
    this.#host = host;
    this.#onContext = onContext;
    host.addController(this);
  }

  hostConnected(): void {
    this.#life = new AbortController();
    void this.#findContext(this.#life.signal);
  }

  hostDisconnected(): void {
    this.#life.abort();
    this.#context = undefined;
    this.#windows = new WeakSet();
    [this.entries, this.marks, this.#byKey, this.#marked] = [[], new Map(), new Map(), []];
    [this.state, this.#isStale, this.#isBusy, this.#next] = ['loading', true, false, 0];
  }

  get(key: string): ToolEntry | undefined {
    return this.#byKey.get(key);
  }

  /** Reads the tools if they have changed since, now that the host is shown. */
  resume(): void {
    if (this.#isStale && !this.#isBusy) void this.#follow(this.#life.signal);
  }

  #refresh(): void {
    this.#isStale = true;
    this.resume();
  }

  /** Says why there is no context while it looks for one: a script may bring it later. */
  async #findContext(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { modelContext } = document as { readonly modelContext: ModelContext | undefined };
      if (modelContext) return this.#watch(modelContext, signal);
      this.#become(isSecureContext ? 'missing' : 'insecure');
      await wait(pace.lookForContext);
    }
  }

  #watch(context: ModelContext, signal: AbortSignal): void {
    this.#context = context;
    this.state = 'loading';
    context.addEventListener('toolchange', () => this.#refresh(), { signal });
    this.#onContext(context, signal);
    this.#refresh();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const isOver = (): boolean => signal.aborted;
    this.#isBusy = true;
    while (!isOver() && this.#isStale && this.#host.isShown && this.#context) {
      const rest = this.#next - performance.now();
      if (rest > 0) await wait(rest);
      if (this.#next > 0) await frame();
      if (!isOver()) await this.#read(this.#context, signal);
    }
    if (!isOver()) this.#isBusy = false;
  }

  async #read(context: ModelContext, signal: AbortSignal): Promise<void> {
    const start = performance.now();
    this.#isStale = false;
    try {
      const tools = await context.getTools();
      if (signal.aborted) return;
      this.#list(listingOf(tools, this.#byKey));
      this.#become('ready');
    } catch (error) {
      if (!signal.aborted) this.#become('refused', error instanceof Error ? error.message : String(error));
    }
    await this.#host.updateComplete;
    const end = performance.now();
    this.#next = end + Math.min(pace.most, Math.max(pace.least, (end - start) * pace.share));
  }

  #list({ entries, marks, removed }: ReturnType<typeof listingOf>): void {
    if (marks.size === 0 && removed === 0) return;
    this.entries = entries;
    for (const { window: target } of entries) this.#watchWindow(target.deref());
    this.#byKey = new Map(entries.map((entry) => [entry.key, entry]));
    if (this.state === 'ready') this.#mark(marks);
  }

  /** A frame that is removed takes its tools with it, and nothing tells of it. */
  #watchWindow(target: Window | undefined): void {
    if (!target || target === window || this.#windows.has(target) || !documentOf(target)) return;
    const { signal } = this.#life;
    this.#windows.add(target);
    const onHide = (): void => {
      this.#windows.delete(target);
      setTimeout(() => signal.aborted || this.#refresh());
    };
    target.addEventListener('pagehide', onHide, { once: true, signal });
  }

  #mark(marks: ReadonlyMap<string, Mark>): void {
    this.#marked = [...this.#marked, marks];
    this.marks = new Map(this.#marked.flatMap((each) => [...each]));
    setTimeout(() => this.#unmark(marks), pace.mark);
  }

  #unmark(marks: ReadonlyMap<string, Mark>): void {
    this.#marked = this.#marked.filter((each) => each !== marks);
    this.marks = new Map(this.#marked.flatMap((each) => [...each]));
    this.#host.requestUpdate();
  }

  #become(state: WatchState, reason = ''): void {
    [this.state, this.reason] = [state, reason];
    this.#host.requestUpdate();
  }
}
