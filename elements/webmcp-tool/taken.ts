interface Claims {
  readonly holder: object;
  /** What to do when the form is free. */
  readonly waiting: Set<() => void>;
}

const claims = new WeakMap<Element, Claims>();

/** Gives a form to one holder; another is told when it is free. */
export function take(form: Element, holder: object, signal: AbortSignal, whenFree: () => void): boolean {
  const held = claims.get(form);
  if (!held) {
    claims.set(form, { holder, waiting: new Set() });
    return true;
  }
  if (held.holder === holder) return true;
  held.waiting.add(whenFree);
  signal.addEventListener('abort', () => held.waiting.delete(whenFree), { once: true });
  return false;
}

export function release(form: Element, holder: object): void {
  const held = claims.get(form);
  if (held?.holder !== holder) return;
  claims.delete(form);
  for (const whenFree of held.waiting) whenFree();
}
