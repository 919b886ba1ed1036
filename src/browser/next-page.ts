import { bare } from '../platform/collections.js';
import { dispatch, listen } from '../platform/signals.js';
import { after, stopTimer } from '../platform/tasks.js';
import { untilEnd, type Run } from './calls.js';
import { contentOf } from './page-content.js';

/** A submission whose answer is the page that comes next. */
interface Awaited {
  readonly id: string;
  readonly toolName: string;
  /** The page that was left, as the next one sees it in its referrer. */
  readonly from: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

const key = 'webmcp-forms:answer';
const patience = 30_000;

/** What the next page of this origin says, be it in this window or in another; null if none comes in time. */
export function answerOfNextPage(run: Run): Promise<string | null> | undefined {
  const awaited: Awaited = {
    ...{ id: crypto.randomUUID(), toolName: run.form.tool?.name ?? '' },
    ...{ from: withoutHash(document.URL), time: Date.now() },
  };
  if (!store(awaited)) return undefined;
  const channel = new BroadcastChannel(key);
  const answer = new Promise<string | null>((resolve) => {
    const timer = after(patience, () => resolve(null));
    channel.onmessage = ({ data }: MessageEvent<{ readonly id: string; readonly answer: string }>) => {
      if (data.id !== awaited.id) return;
      stopTimer(timer);
      resolve(data.answer);
    };
  });
  return untilEnd(run, answer).finally(() => channel.close());
}

const withoutHash = (url: string): string => url.replace(/#.*/s, '');

/** Answers the call that this page is the result of, if there is one. The document says it by `webmcp-answer`. */
export function answerAsNextPage(document: Document): void {
  const awaited = take(document);
  if (!awaited) return;
  const answer = (): void => {
    const result = { url: document.URL, ...contentOf(document) };
    const channel = new BroadcastChannel(key);
    channel.postMessage({ id: awaited.id, answer: JSON.stringify(result) });
    channel.close();
    const detail = { toolName: awaited.toolName, result };
    dispatch(document, new CustomEvent('webmcp-answer', { detail }));
  };
  if (document.readyState === 'loading') listen(document, 'DOMContentLoaded', answer, bare({ once: true }));
  else answer();
}

function store(awaited: Awaited): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(awaited));
    return true;
  } catch {
    return false; // storage is full, or not allowed here
  }
}

function take(document: Document): Awaited | undefined {
  try {
    const awaited = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Awaited | null;
    if (awaited?.from !== withoutHash(document.referrer)) return undefined;
    sessionStorage.removeItem(key);
    return Date.now() - awaited.time < patience ? awaited : undefined;
  } catch {
    return undefined; // storage is not allowed here, or a page has put something else there
  }
}
