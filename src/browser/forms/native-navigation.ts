import { withoutPrototype } from '../../platform/collections.js';
import { listen } from '../../platform/signals.js';
import { wait } from '../../platform/timers.js';

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
    const options = withoutPrototype({ signal: this.#controller.signal });
    const navigation = Reflect.get(window, 'navigation') as EventTarget | undefined;
    this.#handled = new Promise((resolve) => {
      if (!navigation) return;
      listen(navigation, 'navigate', (event) => (this.#isLeaving ||= isCrossDocument(event)), options);
      for (const type of ['navigatesuccess', 'navigateerror']) listen(navigation, type, () => resolve(), options);
    });
    this.unloaded = new Promise((resolve) => {
      if (window.parent !== window) listen(window, 'pagehide', () => resolve(null), options);
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

interface NavigateEvent extends Event {
  readonly destination: { readonly sameDocument: boolean };
  readonly downloadRequest: string | null;
}

function isCrossDocument(event: Event): boolean {
  const { destination, downloadRequest } = event as NavigateEvent;
  return !destination.sameDocument && downloadRequest === null;
}
