import { canonicalJson } from '../json.js';

/** Whether `crypto.subtle` exists; insecure contexts do not have it. */
export const canHash = (): boolean => (crypto as Partial<typeof crypto>).subtle !== undefined;

/** `sha256-` and the base64 SHA-256 of a value's canonical JSON. https://www.rfc-editor.org/rfc/rfc8785 */
export async function hashOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(value)));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
}

/**
 * The hash of everything that a model reads about a webtool, and of the destinations of its actions: `sha256-` and the base64
 * SHA-256 of the canonical JSON of the name, the description and the actions, which are sorted by their canonical JSON.
 */
export const webtoolHash = ({ name, description, actions }: HashedWebtool): Promise<string> =>
  hashOf({ name, description, actions: sortByText(actions) });

interface HashedWebtool {
  readonly name: string;
  readonly description: string;
  readonly actions: readonly unknown[];
}

function sortByText(values: readonly unknown[]): readonly unknown[] {
  const entries = values.map((value) => ({ value, text: canonicalJson(value) }));
  return entries.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text))).map(({ value }) => value);
}
