import { withoutPrototype } from '../../platform/collections.js';
import { listen } from '../../platform/signals.js';

interface NavigationSteps {
  /** Runs at the start of a navigation. A download does not leave the document. */
  readonly start: (isLeaving: boolean) => void;
  readonly end: () => void;
}

/** Observes the navigations of a window until the signal aborts. WebKitGTK has no Navigation API. */
export function observeNavigations(window: Window, { start, end }: NavigationSteps, signal: AbortSignal): void {
  const { navigation } = window as Partial<Window>;
  if (!navigation) return;
  const options = withoutPrototype({ signal });
  const onStart = (event: Event): void => {
    const { destination, downloadRequest } = event as NavigateEvent;
    start(!destination.sameDocument && downloadRequest === null);
  };
  listen(navigation, 'navigate', onStart, options);
  for (const type of ['navigatesuccess', 'navigateerror']) listen(navigation, type, end, options);
}
