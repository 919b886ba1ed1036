import type { CliContext } from './context.js';

interface Progress {
  readonly show: (pages: number) => void;
  /** Removes the line. Called before other output and at the end. */
  readonly clear: () => void;
}

/** How often a line is written, in milliseconds. */
interface Pace {
  readonly first: number;
  readonly interval: number;
}

const onTerminal: Pace = { first: 1000, interval: 100 };
const inLog: Pace = { first: 10_000, interval: 10_000 };

/** Interactive terminals show one line, which `show` redraws without a timer. Other streams get a line every 10 seconds. */
export function createProgress(
  { stderr, env = {} }: Pick<CliContext, 'stderr' | 'env'>,
  total: number | undefined,
  now: () => number = () => performance.now(),
): Progress {
  const isInteractive = 'isTTY' in stderr && stderr.isTTY === true && !env['CI'] && env['TERM'] !== 'dumb';
  const { first, interval } = isInteractive ? onTerminal : inLog;
  const start = now();
  let drawn = start + first - interval;
  let isShown = false;
  return {
    show: (pages) => {
      if (now() - drawn < interval) return;
      drawn = now();
      isShown = isInteractive;
      const text = progressText(pages, total, drawn - start);
      stderr.write(isInteractive ? `\r\x1b[K${text}` : `webmcp-forms: ${text}\n`);
    },
    clear: () => {
      if (isShown) stderr.write('\r\x1b[K');
      isShown = false;
    },
  };
}

function progressText(pages: number, total: number | undefined, elapsedMs: number): string {
  const perSecond = pages / (elapsedMs / 1000);
  const rate = `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} per second`;
  if (total === undefined) return `${pages} pages, ${rate}`;
  const left = timeText((total - pages) / perSecond);
  return `${pages} of ${total} pages (${Math.floor((100 * pages) / total)} %), ${rate}, ${left} left`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
