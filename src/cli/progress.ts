import type { CliContext } from './context.js';

/** A line on a terminal with the progress of a long run. */
export interface Progress {
  readonly show: (pages: number) => void;
  /** Removes the line, before other text and at the end. */
  readonly clear: () => void;
}

const silent: Progress = { show: () => undefined, clear: () => undefined };

/** How long a run shows no progress, and how often the line changes. */
const delayMs = 1000;
const intervalMs = 100;

/** Creates the progress line; an interactive terminal shows it. It has no timer: `show` redraws it. */
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
