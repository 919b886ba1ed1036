import type { Corpus } from '../../corpus.mjs';
import { openResponsiveFrame, UnresponsiveFrameError, retryInFrames } from './responsive-frame.js';

export const corpus = async (): Promise<Corpus> => (await fetch('/corpus.json')).json() as Promise<Corpus>;

/**
 * Runs a function with the window of a page that is parsed as by a navigation. (A DOMParser has no scripting, creates no
 * declarative shadow roots, and in Chromium sets no form owners in tables.) Pages without scripts and shadow roots share
 * one frame, which is much faster than a frame for each page. Retries in another frame if the browser does not respond.
 */
export function withPage<Result>(page: string, use: (window: Window) => Result | Promise<Result>): Promise<Result> {
  const open = /<script|shadowrootmode/i.test(page) ? withFrame : withRewrittenFrame;
  return retryInFrames(() => open(page, use));
}

let shared: Promise<Window> | undefined;
let last: Promise<unknown> = Promise.resolve();

function withRewrittenFrame<Result>(page: string, use: (window: Window) => Result | Promise<Result>): Promise<Result> {
  const next = last.then(async () => {
    const window = await (shared ??= openFrame('<!doctype html>'));
    window.document.open();
    window.document.write(page);
    window.document.close();
    return use(window);
  });
  last = next.catch((error: unknown) => {
    if (error instanceof UnresponsiveFrameError) shared = undefined;
  });
  return next;
}

/** Opens a page in a frame of its own. Removing the frame while it registers tools crashes Chromium 156. */
async function withFrame<Result>(page: string, use: (window: Window) => Result | Promise<Result>): Promise<Result> {
  return use(await openFrame(page));
}

const openFrame = async (page: string): Promise<Window> =>
  (await openResponsiveFrame(() => load(page))).contentWindow as Window;

const load = (page: string): Promise<HTMLIFrameElement> =>
  new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.addEventListener('load', () => resolve(frame), { once: true });
    frame.srcdoc = page;
    document.body.append(frame);
  });

/** Runs a function for groups of items, so that few frames load at once. */
export async function inGroups<Item>(
  items: readonly Item[],
  size: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    await Promise.all(items.slice(start, start + size).map(run));
  }
}
