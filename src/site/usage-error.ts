import { getSystemErrorMap } from 'node:util';

/** A mistake of the caller, told in one line: what, where, the way out. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Whether the operating system refused something. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException & { readonly errno: number } =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number';

/** Why something failed, in the operating system's words where it was the operating system. */
export function reasonOf(error: unknown): string {
  if (isSystemError(error)) return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
