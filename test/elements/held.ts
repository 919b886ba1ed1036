/** Resolves at the moment at which a review holds Approve back, which it does for half a second: no machine is too slow. */
export function heldBack({ shadowRoot }: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(look);
    function look(): void {
      if (!shadowRoot?.querySelector('[part=approve][aria-disabled=true]')) return;
      observer.disconnect();
      resolve();
    }
    observer.observe(shadowRoot as ShadowRoot, { subtree: true, childList: true, attributes: true });
    look();
  });
}
