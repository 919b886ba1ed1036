import type { ToolAnnotations } from '../../src/index.js';

interface Hints {
  readonly readonlyHint: boolean;
  readonly consequentialHint: boolean;
  readonly untrustedContentHint: boolean;
}

/** The annotations that an element says, if it says any. */
export function hintsOf(element: Hints): { readonly annotations?: Partial<ToolAnnotations> } {
  const { readonlyHint: readOnlyHint, consequentialHint, untrustedContentHint } = element;
  const says = readOnlyHint || consequentialHint || untrustedContentHint;
  return says ? { annotations: { readOnlyHint, consequentialHint, untrustedContentHint } } : {};
}
