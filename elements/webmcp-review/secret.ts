const secret = /^(?:one-time-code|(?:current|new)-password|cc-[a-z-]+)$/;

/** Whether what a control holds is not for every eye. */
export const isSecret = (control: Element): boolean =>
  ((control instanceof HTMLInputElement || control.localName.includes('-')) &&
    control.getAttribute('type')?.toLowerCase() === 'password') ||
  (control.getAttribute('autocomplete') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .some((token) => secret.test(token));
