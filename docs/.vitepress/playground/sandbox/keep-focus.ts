const tabMs = 500;

/** Returns the focus to this page when a frame takes it without the pointer or the key Tab. */
export function keepFocus(frame: HTMLElement, onReturned: () => void, signal: AbortSignal): void {
  let last: Element | null = document.activeElement;
  let tabbedAt = -Infinity;
  const options = { capture: true, signal };
  document.addEventListener('focusin', ({ target }) => (last = target === frame ? last : (target as Element)), options);
  document.addEventListener('keydown', ({ key }) => (tabbedAt = key === 'Tab' ? performance.now() : tabbedAt), options);
  const returnFocus = (): void => {
    if (document.activeElement !== frame || signal.aborted) return;
    window.focus();
    frame.blur();
    if (last instanceof HTMLElement && last.isConnected) last.focus({ preventScroll: true });
    onReturned();
  };
  const onBlur = (): void => {
    const isByUser = frame.matches(':hover') || performance.now() - tabbedAt < tabMs;
    if (!isByUser) setTimeout(returnFocus); // the focus has not moved yet
  };
  window.addEventListener('blur', onBlur, { signal });
}
