/**
 * Makes an Enter key that has been pressed in the panel press nothing else while it is held down. Browsers repeat it
 * wherever the focus has moved, such as to a control of the form, which it would submit.
 */
export function ignoreRepeats({ key, code, repeat, isTrusted }: KeyboardEvent): void {
  if (key !== 'Enter' || repeat || !isTrusted) return;
  const controller = new AbortController();
  const steps = (event: KeyboardEvent): void => {
    if (event.code !== code) return;
    if (event.repeat) event.preventDefault();
    else controller.abort();
  };
  for (const type of ['keydown', 'keyup'] as const)
    window.addEventListener(type, steps, { capture: true, signal: controller.signal });
}
