import type { CliContext } from './context.js';

interface Progress {
  readonly show: (pages: number) => void;
  /** Removes the line. Called before other output and at the end. */
  readonly clear: () => void;
}

const silent: Progress = { show: () => undefined, clear: () => undefined };

const delayMs = 1000;
const intervalMs = 100;

/** Only interactive terminals show progress. `show` redraws the line, without a timer. */
export function createProgress(
  { stderr, env = {} }: Pick<CliContext, 'stderr' | 'env'>,
  total: number | undefined,
  now: () => number = () => performance.now(),
): Progress {
  if (!('isTTY' in stderr && stderr.isTTY) || env['CI'] || env['TERM'] === 'dumb') return silent;
  const start = now();
  let drawn = start + delayMs - intervalMs;
  let isShown = false;
  return {
    show: (pages) => {
      if (now() - drawn < intervalMs) return;
      drawn = now();
      isShown = true;
      const rate = Math.round((pages / (drawn - start)) * 1000);
      stderr.write(`\r\x1b[K${pages}${total === undefined ? '' : ` of ${total}`} pages, ${rate} per second`);
    },
    clear: () => {
      if (isShown) stderr.write('\r\x1b[K');
      isShown = false;
    },
  };
}
