// Captured: a page may patch its timers, as test libraries do.
const { setTimeout, setInterval, clearInterval, MessageChannel } = globalThis;

export type Timer = ReturnType<typeof setInterval>;

export const startTimeout = (milliseconds: number, steps: () => void): Timer => setTimeout(steps, milliseconds);
export const startInterval = (milliseconds: number, steps: () => void): Timer => setInterval(steps, milliseconds);
export const stopTimer = (timer: Timer | undefined): void => clearInterval(timer);
export const createMessageChannel = (): MessageChannel => new MessageChannel();

const queue: (() => void)[] = [];
let channel: MessageChannel | undefined;
let posted = 0;
let begun = 0;

/** Runs what the message stands for, and before it what a message stood for that was lost: Firefox loses some. */
function runNext({ data }: MessageEvent<number>): void {
  while (begun < data) {
    begun++;
    queue.shift()?.();
  }
}

/**
 * Runs steps in a task of their own, in order. A channel, because timers are throttled in hidden tabs.
 * https://html.spec.whatwg.org/multipage/webappapis.html#queue-a-task
 */
export function queueTask(steps: () => void): void {
  if (!channel) {
    channel = createMessageChannel();
    channel.port1.onmessage = runNext;
  }
  queue.push(steps);
  channel.port2.postMessage(++posted);
}

/** Resolves in a task of its own, when the microtasks of this one are over. */
export const nextTask = (): Promise<void> => new Promise((resolve) => queueTask(resolve));
export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void startTimeout(milliseconds, resolve));
