import type { ReactiveController } from 'lit';
import type { ModelContext } from '../../src/index.js';
import { modelContextOf } from '../../src/platform/model-context.js';
import type { WebmcpInspector } from '../webmcp-inspector.js';
import { documentOf, type InspectorSource } from './source.js';
import { listTools, type Listing, type Mark, type ToolEntry } from './tools.js';

type WatchState = 'loading' | 'ready' | 'insecure' | 'missing' | 'refused';

/**
 * In milliseconds. The pause after a read is `share` times its duration, clamped to `min` and `max`. Looks for a model
 * context every `findContext`, and shows a mark for `mark`.
 */
export const pace = { min: 100, max: 2000, share: 8, findContext: 500, mark: 2000 };

const wait = (milliseconds: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

type OnContext = (context: ModelContext, signal: AbortSignal) => void;

/** Lists the page's tools while its host is connected. The list is updated while the host is visible. */
export class ToolWatch implements ReactiveController {
  entries: readonly ToolEntry[] = [];
  /** Recent changes by key. */
  marks: ReadonlyMap<string, Mark> = new Map();
  state: WatchState = 'loading';
  reason = '';
  /** The number of times that the tools were read. */
  version = 0;
  readonly #host: WebmcpInspector;
  readonly #onContext: OnContext;
  #byKey: ReadonlyMap<string, ToolEntry> = new Map();
  #life = new AbortController();
  #source: InspectorSource | undefined;
  #context: ModelContext | InspectorSource | undefined;
  #isStale = true;
  #isBusy = false;
  #next = 0;
  #windows = new WeakSet<Window>();
  #recentMarks: readonly ReadonlyMap<string, Mark>[] = [];

  constructor(host: WebmcpInspector, onContext: OnContext) {
    this.#host = host;
    this.#onContext = onContext;
    host.addController(this);
  }

  hostConnected(): void {
    this.#source = this.#host.source;
    this.#life = new AbortController();
    void this.#findContext(this.#life.signal);
  }

  hostDisconnected(): void {
    this.#life.abort();
    this.#context = undefined;
    this.#windows = new WeakSet();
    [this.entries, this.marks, this.#byKey, this.#recentMarks] = [[], new Map(), new Map(), []];
    [this.state, this.#isStale, this.#isBusy, this.#next] = ['loading', true, false, 0];
  }

  /** Follows the current source of the host. Returns false if the source has not changed. */
  restart(): boolean {
    if (this.#host.source === this.#source) return false;
    this.hostDisconnected();
    this.hostConnected();
    return true;
  }

  get(key: string): ToolEntry | undefined {
    return this.#byKey.get(key);
  }

  /** Reads the tools if they changed while the host was hidden. */
  resume(): void {
    if (this.#isStale && !this.#isBusy) void this.#follow(this.#life.signal);
  }

  #refresh(): void {
    this.#isStale = true;
    this.resume();
  }

  /** Waits for a model context, which a script may provide later. */
  async #findContext(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#source) return this.#watch(this.#source, signal);
      const modelContext = modelContextOf(window);
      if (modelContext) {
        this.#onContext(modelContext, signal);
        return this.#watch(modelContext, signal);
      }
      this.#setState(isSecureContext ? 'missing' : 'insecure');
      await wait(pace.findContext);
    }
  }

  #watch(context: ModelContext | InspectorSource, signal: AbortSignal): void {
    this.#context = context;
    this.state = 'loading';
    context.addEventListener('toolchange', () => this.#refresh(), { signal });
    this.#refresh();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const isOver = (): boolean => signal.aborted; // a function, because TypeScript would narrow the property
    this.#isBusy = true;
    while (!isOver() && this.#isStale && this.#host.isShown && this.#context) {
      const rest = this.#next - performance.now();
      if (rest > 0) await wait(rest);
      if (this.#next > 0) await frame();
      if (!isOver()) await this.#read(this.#context, signal);
    }
    if (!isOver()) this.#isBusy = false;
  }

  async #read(context: ModelContext | InspectorSource, signal: AbortSignal): Promise<void> {
    const start = performance.now();
    this.#isStale = false;
    try {
      const tools = await context.getTools();
      if (signal.aborted) return;
      this.#list(listTools(tools, this.#byKey, this.#source));
      this.version++;
      this.#setState('ready');
    } catch (error) {
      if (!signal.aborted) this.#setState('refused', error instanceof Error ? error.message : String(error));
    }
    await this.#host.updateComplete;
    const end = performance.now();
    this.#next = end + Math.min(pace.max, Math.max(pace.min, (end - start) * pace.share));
  }

  #list({ entries, marks, removedCount }: Listing): void {
    if (marks.size === 0 && removedCount === 0) return;
    this.entries = entries;
    for (const { window: target } of entries) this.#watchWindow(target.deref());
    this.#byKey = new Map(entries.map((entry) => [entry.key, entry]));
    if (this.state === 'ready') this.#mark(marks);
  }

  /** Tools of a removed frame disappear without a `toolchange` event. */
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
    this.#setMarks([...this.#recentMarks, marks]);
    setTimeout(() => {
      this.#setMarks(this.#recentMarks.filter((each) => each !== marks));
      this.#host.requestUpdate();
    }, pace.mark);
  }

  #setMarks(recent: readonly ReadonlyMap<string, Mark>[]): void {
    this.#recentMarks = recent;
    this.marks = new Map(recent.flatMap((each) => [...each]));
  }

  #setState(state: WatchState, reason = ''): void {
    [this.state, this.reason] = [state, reason];
    this.#host.requestUpdate();
  }
}
