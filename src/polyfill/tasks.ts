const queue: (() => void)[] = [];
let channel: MessageChannel | undefined;

function runNext(): void {
  queue.shift()?.();
}

/**
 * Runs steps in a task of their own, in order. A channel, because timers are throttled in hidden tabs.
 * https://html.spec.whatwg.org/multipage/webappapis.html#queue-a-task
 */
export function queueTask(steps: () => void): void {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = runNext;
  }
  queue.push(steps);
  channel.port2.postMessage(null);
}
