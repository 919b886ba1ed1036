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
