import { canonicalJson } from '../json.js';

/** Whether `crypto.subtle` exists; insecure contexts lack it. */
export const canHash = (): boolean => (crypto as Partial<typeof crypto>).subtle !== undefined;

/** `sha256-` and the base64 SHA-256 of a value's canonical JSON. https://www.rfc-editor.org/rfc/rfc8785 */
export async function hashOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(value)));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
}
