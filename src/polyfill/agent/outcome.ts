import { define } from '../../platform/properties.js';
import { domException } from '../frames/context.js';
import type { Context } from '../state.js';

/** The failure of a call. It is converted to an UnknownError of the caller's realm. */
export class Failure extends Error {}

/** The discriminant is always an own property, because a page may add others to Object.prototype. */
export type Outcome =
  | { readonly failed: false; readonly value: string | null }
  | { readonly failed: true; readonly error: unknown };

export const success = (value: string | null): Outcome => ({ failed: false, value });
export const failure = (error: unknown): Outcome => ({ failed: true, error });

export function errorFor(caller: Context, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const exception = domException(caller, 'UnknownError', error.message);
  if (error.cause !== undefined) define(exception, 'cause', { value: error.cause, configurable: true, writable: true });
  return exception;
}
