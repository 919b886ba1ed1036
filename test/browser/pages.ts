import type { Corpus } from '../corpus.mjs';
import { openHeardFrame, UnheardError, untilHeard } from './heard-frame.js';

export const corpus = async (): Promise<Corpus> => (await fetch('/corpus.json')).json() as Promise<Corpus>;

/**
 * Hands over the window of a page, parsed as a navigation parses it. (A DOMParser has no scripting, makes no declarative
 * shadow roots, and in Chromium sets no form owners in tables.) Pages without scripts are written one after another into
 * one frame, which is much faster than a frame for each. A page whose use throws an `UnheardError` is opened again.
 */
export function withPage<Result>(page: string, use: (window: Window) => Result | Promise<Result>): Promise<Result> {
  const open = /<script|shadowrootmode/i.test(page) ? withFrame : withRewrittenFrame;
  return untilHeard(() => open(page, use));
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
    if (error instanceof UnheardError) shared = undefined;
  });
  return next;
}

/** Uses a page in a frame of its own. The frame stays: Chromium 156 crashes when a frame goes while it registers tools. */
async function withFrame<Result>(page: string, use: (window: Window) => Result | Promise<Result>): Promise<Result> {
  return use(await openFrame(page));
}

const openFrame = async (page: string): Promise<Window> =>
  (await openHeardFrame(() => load(page))).contentWindow as Window;

const load = (page: string): Promise<HTMLIFrameElement> =>
  new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.addEventListener('load', () => resolve(frame), { once: true });
    frame.srcdoc = page;
    document.body.append(frame);
  });

/** Runs in groups, so that not every frame of a corpus loads at once. */
export async function inGroups<Item>(
  items: readonly Item[],
  size: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    await Promise.all(items.slice(start, start + size).map(run));
  }
}
