import { startTimeout, stopTimer } from './timers.js';

export function sendMessage(name: string, message: string): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(message);
  channel.close();
}

/**
 * Waits for one message of a BroadcastChannel. The listener receives its text, or null for any other value and after the
 * timeout. Returns a function that stops waiting.
 */
export function waitForMessage(
  name: string,
  timeoutMs: number,
  listener: (message: string | null) => void,
): () => void {
  const channel = new BroadcastChannel(name);
  const stop = (): void => {
    stopTimer(timer);
    channel.close();
  };
  const finish = (message: unknown): void => {
    stop();
    listener(typeof message === 'string' ? message : null);
  };
  const timer = startTimeout(timeoutMs, () => finish(null));
  channel.onmessage = ({ data }: MessageEvent<unknown>) => finish(data);
  return stop;
}
