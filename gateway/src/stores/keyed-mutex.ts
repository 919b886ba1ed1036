import { oncePerObject, startDeadline } from 'webmcp-forms/headless';

/** The last turn of each item, by storage. */
const queueOf = oncePerObject((_: object) => new Map<string, Turn>());

interface Turn {
  readonly done: Promise<unknown>;
  /** The latest start of the next turn. */
  readonly endsBy: number;
}

export interface TurnOptions {
  /**
   * The time after which the next turn starts even if this turn has not ended, because Workers may stop the work of a request
   * after its response. It must exceed the timeouts of the turn's operations.
   * @default never
   */
  readonly limitMs?: number;
  /**
   * Returns a promise that the next turn awaits after the change, such as the promise of an operation that has reached
   * its timeout.
   */
  readonly settled?: () => Promise<unknown>;
}

export async function runInTurn(
  storage: object,
  id: string,
  change: () => Promise<void>,
  { limitMs = Infinity, settled = () => Promise.resolve() }: TurnOptions = {},
): Promise<void> {
  const queue = queueOf(storage);
  const changed = waitFor(queue.get(id)).then(change);
  const done = changed.catch(() => undefined).then(() => settled().catch(() => undefined));
  const turn = { done, endsBy: Date.now() + limitMs };
  queue.set(id, turn);
  void done.then(() => {
    if (queue.get(id) === turn) queue.delete(id);
  });
  await changed;
}

async function waitFor(turn: Turn | undefined): Promise<void> {
  if (!turn) return;
  if (turn.endsBy === Infinity) {
    await turn.done;
    return;
  }
  const milliseconds = turn.endsBy - Date.now();
  const deadline = startDeadline({ milliseconds, timeoutError: () => new Error('The turn has ended.') });
  await deadline.race(turn.done).catch(() => undefined);
  deadline.clear();
}
