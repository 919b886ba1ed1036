import { constants } from 'node:os';

const ending = ['SIGTERM', 'SIGINT'] as const;

/** Within how many milliseconds a second signal is the echo of the first: npx passes on what a terminal sends as well. */
const echo = 500;

/**
 * Runs something with a signal that is aborted when the process is told to end. A second time ends it at once; not so a
 * worker, which hears of it both from the terminal and from its primary process.
 */
export async function untilStopped(isWorker: boolean, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let first = Infinity;
  const stop = (signal?: NodeJS.Signals): void => {
    if (!controller.signal.aborted) first = performance.now();
    else if (signal && !isWorker && performance.now() - first > echo) process.exit(128 + constants.signals[signal]);
    controller.abort();
  };
  const hear = (message: unknown): void => {
    if (message === 'stop') stop();
  };
  for (const each of ending) process.on(each, stop);
  if (isWorker) process.on('message', hear);
  const watch = startedByNpx && !isWorker ? onParentGone(stop) : undefined;
  try {
    await run(controller.signal);
  } finally {
    for (const each of ending) process.off(each, stop);
    process.off('message', hear);
    clearInterval(watch);
  }
}

const startedByNpx = process.env['npm_lifecycle_event'] === 'npx';

/** npx passes a signal on to its shell, and not every shell passes it on to us: it is gone, and we would stay. */
function onParentGone(stop: () => void): NodeJS.Timeout {
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 500).unref();
}

/** Calls a function when the process is told to read its files again. */
export function onReload(reload: () => void, signal: AbortSignal): void {
  process.on('SIGHUP', reload);
  signal.addEventListener('abort', () => process.off('SIGHUP', reload), { once: true });
}
