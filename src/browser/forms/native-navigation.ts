import { withoutPrototype } from '../../platform/collections.js';
import { listen } from '../../platform/signals.js';
import { wait } from '../../platform/timers.js';
import { observeNavigations } from '../dom/navigations.js';

const startTimeoutMs = 50;
const endTimeoutMs = 30_000;

/** Observes whether a window navigates during a call. The browser's own model context ends a call with its document. */
export class NavigationWatch {
  /** Resolves when the document of a frame is unloaded: its call would reject in the other frames. */
  readonly unloaded: Promise<null>;
  readonly #controller = new AbortController();
  readonly #handled: Promise<void>;
  #isLeaving = false;

  constructor(window: Window) {
    const { signal } = this.#controller;
    this.#handled = new Promise((end) => {
      observeNavigations(window, { start: (isLeaving) => (this.#isLeaving ||= isLeaving), end }, signal);
    });
    this.unloaded = new Promise((resolve) => {
      if (window.parent !== window) listen(window, 'pagehide', () => resolve(null), withoutPrototype({ signal }));
    });
  }

  /**
   * Resolves after a submission, unless the document is about to be unloaded: agents of the browser then receive the JSON-LD
   * of the next page.
   */
  async settled(): Promise<null> {
    await wait(startTimeoutMs); // the browser starts a navigation in a task
    if (this.#isLeaving) await Promise.race([this.#handled, wait(endTimeoutMs)]);
    return null;
  }

  stop(): void {
    this.#controller.abort();
  }
}
