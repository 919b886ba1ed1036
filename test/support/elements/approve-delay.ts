import { approveDelay } from '../../../elements/webmcp-review/view/visibility.js';

/** The delay of Approve for users. */
export const { ms: standardDelay } = approveDelay;

/** A delay that no test waits for, however slow the machine is. */
export const endlessDelay = 1e9;

/** Sets the delay of Approve after the next changes. */
export function setApproveDelay(ms: number): void {
  approveDelay.ms = ms;
}

beforeEach(() => setApproveDelay(0));

/** Resolves while a review delays Approve. An observer misses no delay, however slow the machine is. */
export function approveDelayed({ shadowRoot }: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(check);
    function check(): void {
      if (!shadowRoot?.querySelector('[part=approve][aria-disabled=true]')) return;
      observer.disconnect();
      resolve();
    }
    observer.observe(shadowRoot as ShadowRoot, { subtree: true, childList: true, attributes: true });
    check();
  });
}
