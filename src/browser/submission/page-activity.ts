import { withoutPrototype } from '../../platform/collections.js';
import { listen } from '../../platform/signals.js';
import { startTimeout, stopTimer, type Timer } from '../../platform/timers.js';
import { windowOf, type Global } from '../dom/dom-tree.js';
import { observeNavigations } from '../dom/navigations.js';

/** The requests and navigations of a page whose script sends a form. */
export class PageActivity {
  /** Resolves when the page has a result and is quiet, or after the time limit. */
  readonly settled: Promise<void>;
  /** Whether a request of a script has ended since the submission. */
  hasRequested = false;
  /** Whether the document is being unloaded. */
  isLeaving = false;
  readonly #window: Window;
  readonly #timeoutMs: number;
  readonly #hasResult: () => boolean;
  readonly #listeners = new AbortController();
  /** Whether a script navigates. The next page may load slowly. */
  #isNavigating = false;
  #stopRequests: (() => void) | undefined;
  #timer: Timer | undefined;
  #limit: Timer | undefined;
  #settle!: () => void;

  constructor(form: Element, timeoutMs: number, hasResult: () => boolean) {
    this.#window = windowOf(form) as Window;
    this.#timeoutMs = timeoutMs;
    this.#hasResult = hasResult;
    this.settled = new Promise((resolve) => (this.#settle = resolve));
    const { signal } = this.#listeners;
    const leave = (): void => {
      this.isLeaving = true;
      this.#settle();
    };
    listen(this.#window, 'pagehide', leave, withoutPrototype({ signal }));
    const steps = {
      start: (isLeaving: boolean): unknown => (this.#isNavigating = isLeaving),
      // A script may handle the navigation and show the page, or a navigation may fail.
      end: () => {
        this.#isNavigating = false;
        this.wait();
      },
    };
    observeNavigations(this.#window, steps, signal);
  }

  /** Starts the time limit and observes requests from now on. Earlier requests may only check values of the form. */
  start(): void {
    this.#stopRequests = observeRequests(this.#window as Global, () => {
      this.hasRequested = true;
      this.wait();
    });
    this.#limit = startTimeout(this.#timeoutMs, () => this.#settle());
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** Settles when nothing has changed for a fraction of the time limit, if the page has a result. */
  wait(fraction = 1 / 10): void {
    if (!this.#limit) return;
    stopTimer(this.#timer);
    this.#timer = startTimeout(this.#timeoutMs * fraction, () => {
      this.#timer = undefined;
      if (!this.#isNavigating && this.#hasResult()) this.#settle();
    });
  }

  stop(): void {
    this.#listeners.abort();
    this.#stopRequests?.();
    stopTimer(this.#timer);
    stopTimer(this.#limit);
  }
}

const scripted = /^(?:beacon|fetch|xmlhttprequest)$/;

/** Runs steps when a script request that starts from now on ends. Returns a function that ends the observation. */
function observeRequests(window: Global, steps: () => void): (() => void) | undefined {
  try {
    const { performance, PerformanceObserver } = window;
    const start = performance.now();
    const isOfSubmission = (entry: PerformanceEntry): boolean =>
      entry.startTime >= start && scripted.test((entry as PerformanceResourceTiming).initiatorType);
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isOfSubmission)) steps();
    });
    const stop = observer.disconnect.bind(observer);
    observer.observe({ type: 'resource' });
    return stop;
  } catch {
    return undefined; // a page may replace the observer
  }
}
