import { SubmissionError } from 'webmcp-forms/headless';

/** The end of a call, by its timeout or its caller. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Settles like the promise, or rejects when the call ends first. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  clear(): void;
}

export function startDeadline(milliseconds: number, callerSignal?: AbortSignal): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => {
    const message = `The site did not respond within ${milliseconds / 1000} s.`;
    controller.abort(new SubmissionError('upstream-timeout', message));
  }, milliseconds);
  const onAbort = (): void => {
    controller.abort(new SubmissionError('aborted', 'The call was canceled.', { cause: callerSignal?.reason }));
  };
  let end = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason as SubmissionError);
  });
  signal.addEventListener('abort', end);
  ended.catch(() => undefined); // the race may have ended
  if (callerSignal?.aborted) onAbort();
  callerSignal?.addEventListener('abort', onAbort);
  return {
    signal,
    race: (promise) => Promise.race([promise, ended]),
    clear() {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', onAbort);
      // undici keeps the signal of a request as long as anything refers to the request, such as the error of a race.
      signal.removeEventListener('abort', end);
    },
  };
}
