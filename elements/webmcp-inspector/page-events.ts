/** Reports when an element is shown or hidden, for example by a closed `<details>`, until the signal aborts. */
export function watchVisibility(element: Element, signal: AbortSignal, report: (isVisible: boolean) => void): void {
  // In a separate task, because rendering in a ResizeObserver callback would report an error to the page.
  const onChange = (): void => void setTimeout(() => signal.aborted || check());
  const size = new ResizeObserver(onChange);
  const observers = [new IntersectionObserver(onChange), size];
  const check = (): void => {
    const isVisible = element.checkVisibility();
    report(isVisible);
    if (isVisible) return;
    // If the element is shown again before the browser renders it without a size, its size has not changed. Observing
    // it anew reports the size all the same.
    size.unobserve(element);
    size.observe(element);
  };
  for (const observer of observers) observer.observe(element);
  signal.addEventListener('abort', () => observers.forEach((observer) => observer.disconnect()), { once: true });
}

/** Keys that trigger the page's shortcuts even in a text box. */
const pageKeys = /^(Escape|Tab|F\d+|Alt|Control|Meta|Shift)$/;

/** Prevents typed text from triggering the page's shortcuts. */
export function hideTyping(root: EventTarget): void {
  const stop = (event: Event): void => {
    const { key = '', ctrlKey, altKey, metaKey } = event as Partial<KeyboardEvent>;
    if (!ctrlKey && !altKey && !metaKey && !pageKeys.test(key)) event.stopPropagation();
  };
  for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input']) root.addEventListener(type, stop);
}
