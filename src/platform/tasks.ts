/** Captured: see primordials.ts. */
export const { setTimeout, setInterval, clearInterval, MessageChannel } = globalThis;

const queue: (() => void)[] = [];
let channel: MessageChannel | undefined;
let posted = 0;
let started = 0;

/** Runs all queued tasks up to the number in the message, because Firefox loses some messages. */
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
    channel = new MessageChannel();
    channel.port1.onmessage = runTasks;
  }
  queue.push(steps);
  channel.port2.postMessage(++posted);
}

/** Reports an error of a page's own code as an uncaught error. */
export const reportError = (error: unknown): void =>
  queueTask(() => {
    throw error;
  });
