const { setTimeout, setInterval, clearInterval, MessageChannel } = globalThis; // captured: see primordials.ts

export type Timer = ReturnType<typeof setInterval>;

export const startTimeout = (milliseconds: number, steps: () => void): Timer => setTimeout(steps, milliseconds);
export const startInterval = (milliseconds: number, steps: () => void): Timer => setInterval(steps, milliseconds);
export const stopTimer = (timer: Timer | undefined): void => clearInterval(timer);
export const createMessageChannel = (): MessageChannel => new MessageChannel();

const queue: (() => void)[] = [];
let channel: MessageChannel | undefined;
let posted = 0;
let started = 0;

/** Runs all tasks up to a number, because Firefox loses some messages. */
function runTasks({ data }: MessageEvent<number>): void {
  while (started < data) {
    started++;
    queue.shift()?.();
  }
}

/**
 * Queues a task by a MessageChannel, because timers are throttled in hidden tabs.
 * https://html.spec.whatwg.org/multipage/webappapis.html#queue-a-task
 */
export function queueTask(steps: () => void): void {
  if (!channel) {
    channel = createMessageChannel();
    channel.port1.onmessage = runTasks;
  }
  queue.push(steps);
  channel.port2.postMessage(++posted);
}
