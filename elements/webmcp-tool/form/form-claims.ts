interface Claim {
  readonly owner: object;
  readonly waiting: Set<() => void>;
}

const claims = new WeakMap<Element, Claim>();

/** Claims a form. Returns false while another owner has it, and calls `onRelease` when that owner releases it. */
export function claimForm(form: Element, owner: object, signal: AbortSignal, onRelease: () => void): boolean {
  const claim = claims.get(form);
  if (!claim) {
    claims.set(form, { owner, waiting: new Set() });
    return true;
  }
  if (claim.owner === owner) return true;
  claim.waiting.add(onRelease);
  signal.addEventListener('abort', () => claim.waiting.delete(onRelease), { once: true });
  return false;
}

export function releaseForm(form: Element, owner: object): void {
  const claim = claims.get(form);
  if (claim?.owner !== owner) return;
  claims.delete(form);
  for (const onRelease of claim.waiting) onRelease();
}
