import { getSystemErrorMap } from 'node:util';

/** A mistake of the user or the caller. Its message contains the problem, the place and the solution. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export class InterruptedError extends UsageError {}

export const isSystemError = (error: unknown): error is NodeJS.ErrnoException & { readonly errno: number } =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number';

/** The error's message; for an error of the operating system, its description. */
export function reasonOf(error: unknown): string {
  if (isSystemError(error)) return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
