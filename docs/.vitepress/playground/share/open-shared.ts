import type { Playground } from '../playground.js';
import { createShareUrl, readShared } from './share.js';

/** Puts the page into the URL and copies the URL. */
export async function share({ source, status }: Playground): Promise<void> {
  const url = await createShareUrl(source);
  if (url === undefined) {
    status.value = 'The page is too long for a link. Shorten it.';
    return;
  }
  history.replaceState(history.state, '', url);
  try {
    await navigator.clipboard.writeText(url);
    status.value = 'The link with your page was copied. The page is in the link, not on a server.';
  } catch {
    status.value = 'Your page is in the address of this page. Copy it there.';
  }
}

/** Opens the page of a fragment, if it has one. */
export async function openShared(playground: Playground, hash: string): Promise<void> {
  const text = await sharedText(playground, hash);
  if (text !== undefined) playground.open(text);
}

/** The page of a fragment; undefined if it has none. */
export async function sharedText({ status }: Playground, hash: string): Promise<string | undefined> {
  try {
    return await readShared(hash);
  } catch {
    status.value = 'The page in the link cannot be read. Copy all of the link.';
    return undefined;
  }
}
