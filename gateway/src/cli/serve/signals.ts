import { constants } from 'node:os';

const stopSignals = ['SIGTERM', 'SIGINT'] as const;

/** A second signal within this time is a duplicate: npx forwards signals that the terminal also sends. */
const duplicateMs = 500;

/** Runs a function with a signal that SIGTERM and SIGINT abort. A second signal exits immediately. */
export async function untilStopped(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let stoppedAt = Infinity;
  const stop = (signal?: NodeJS.Signals): void => {
    if (!controller.signal.aborted) stoppedAt = performance.now();
    else if (signal && performance.now() - stoppedAt > duplicateMs) process.exit(128 + constants.signals[signal]);
    controller.abort();
  };
  for (const signal of stopSignals) process.on(signal, stop);
  const watch = process.env['npm_lifecycle_event'] === 'npx' ? onParentExit(stop) : undefined;
  try {
    await run(controller.signal);
  } finally {
    for (const signal of stopSignals) process.off(signal, stop);
    clearInterval(watch);
  }
}

/** npx forwards a signal to its shell, and some shells exit without forwarding it. */
function onParentExit(stop: () => void): NodeJS.Timeout {
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 500).unref();
}

export function onReloadSignal(reload: () => void, signal: AbortSignal): void {
  process.on('SIGHUP', reload);
  signal.addEventListener('abort', () => process.off('SIGHUP', reload), { once: true });
}
