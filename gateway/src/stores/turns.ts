import type { Storage } from './store.js';

/** The last change of each item, by storage. */
const queues = new WeakMap<Storage, Map<string, Turn>>();

interface Turn {
  readonly done: Promise<void>;
  /** The latest start of the next turn: Workers may stop the work of a request after its response. */
  readonly endsBy: number;
}

const turnTimeoutMs = 2500;

/** Runs the changes of an item sequentially. */
export async function runInTurn(storage: Storage, id: string, change: () => Promise<void>): Promise<void> {
  const queue = queues.get(storage) ?? new Map<string, Turn>();
  queues.set(storage, queue);
  const done = waitFor(queue.get(id)).then(change);
  const turn = { done, endsBy: Date.now() + turnTimeoutMs };
  queue.set(id, turn);
  try {
    await done;
  } finally {
    if (queue.get(id) === turn) queue.delete(id);
  }
}

async function waitFor(turn: Turn | undefined): Promise<void> {
  if (!turn) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, turn.endsBy - Date.now())));
  await Promise.race([turn.done, timeout]).catch(() => undefined);
  clearTimeout(timer);
}
