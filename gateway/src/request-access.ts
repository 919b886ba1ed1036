import { HttpError } from './http/json-response.js';
import type { Access, Settings } from './settings.js';

/**
 * Checks whether the client of a request may read or submit.
 *
 * @throws {HttpError} `insufficient-scope`
 */
export function requireAccess({ authorize }: Settings, request: Request, access: Access): void {
  const refusal = authorize?.(request, access);
  if (!refusal) return;
  const headers = { 'www-authenticate': refusal.challenge };
  throw new HttpError('insufficient-scope', refusal.message, { headers });
}
