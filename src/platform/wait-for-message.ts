import { startTimeout, stopTimer } from './tasks.js';

/**
 * Waits for the message of a BroadcastChannel, for so many milliseconds: a text, or null for any other and for none. Gives
 * what ends the wait without a word.
 */
export function waitForMessage(name: string, patience: number, tell: (message: string | null) => void): () => void {
  const channel = new BroadcastChannel(name);
  const end = (): void => {
    stopTimer(timer);
    channel.close();
  };
  const finish = (message: unknown): void => {
    end();
    tell(typeof message === 'string' ? message : null);
  };
  const timer = startTimeout(patience, () => finish(null));
  channel.onmessage = ({ data }: MessageEvent<unknown>) => finish(data);
  return end;
}
