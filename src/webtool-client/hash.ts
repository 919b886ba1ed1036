import { canonical } from '../json.js';

/** Whether hashes can be made here: a page that is not secure has no `crypto.subtle`. */
export const canHash = (): boolean => (crypto as Partial<typeof crypto>).subtle !== undefined;

/** `sha256-` and the SHA-256 of a value's canonical JSON in base64. https://www.rfc-editor.org/rfc/rfc8785 */
export async function hashOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical(value)));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
}
