import { GatewayError } from '../gateway-error.js';

/** The end of a call: its time is over, or its caller wants no more of it. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** What a promise gives, unless the end comes first. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Forgets the timer and the caller's signal. */
  clear(): void;
}

export function startDeadline(milliseconds: number, callers?: AbortSignal): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const seconds = milliseconds / 1000;
  const timer = setTimeout(() => {
    controller.abort(new GatewayError('upstream-timeout', `The site has not answered in ${seconds} s.`));
  }, milliseconds);
  const onAbort = (): void => {
    controller.abort(new GatewayError('aborted', 'The call was canceled.', { cause: callers?.reason }));
  };
  if (callers?.aborted) onAbort();
  callers?.addEventListener('abort', onAbort);
  const ended = new Promise<never>((_, reject) => {
    const end = (): void => {
      reject(signal.reason as GatewayError);
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  ended.catch(() => undefined); // nobody may be waiting
  return {
    signal,
    race: (promise) => Promise.race([promise, ended]),
    clear() {
      clearTimeout(timer);
      callers?.removeEventListener('abort', onAbort);
    },
  };
}
