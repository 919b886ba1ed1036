import type { Surroundings } from '../surroundings.js';

/** One line on a terminal that says how far a long run is. */
export interface Progress {
  readonly show: (pages: number) => void;
  /** Takes the line away, before other text and at the end. */
  readonly clear: () => void;
}

const silent: Progress = { show: () => undefined, clear: () => undefined };

/** A short run and whoever is no person at a terminal see nothing. There is no timer: a line is drawn with a page. */
export function progressOf(
  { stderr, env = {} }: Pick<Surroundings, 'stderr' | 'env'>,
  total: number | undefined,
  now: () => number = () => performance.now(),
): Progress {
  if (!('isTTY' in stderr && stderr.isTTY) || env['CI'] || env['TERM'] === 'dumb') return silent;
  const start = now();
  let drawn = start + patience - interval;
  let isShown = false;
  return {
    show: (pages) => {
      if (now() - drawn < interval) return;
      drawn = now();
      isShown = true;
      stderr.write(`\r\x1b[K${lineOf(pages, total, drawn - start)}`);
    },
    clear: () => {
      if (isShown) stderr.write('\r\x1b[K');
      isShown = false;
    },
  };
}

/** In milliseconds: how long a run is short, and how often the line changes. */
const patience = 1000;
const interval = 100;

function lineOf(pages: number, total: number | undefined, time: number): string {
  const rate = Math.round((pages / time) * 1000);
  return `${pages}${total === undefined ? '' : ` of ${total}`} pages, ${rate} a second`;
}
