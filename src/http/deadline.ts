/** The end of operations, by their timeout or their caller. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Settles like the promise, or rejects when the operations end first. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  clear(): void;
}

interface DeadlineOptions {
  readonly milliseconds: number;
  readonly callerSignal?: AbortSignal | undefined;
  readonly timeoutError: () => Error;
  /** @default the reason of the caller */
  readonly abortError?: (reason: unknown) => unknown;
}

export function startDeadline({
  milliseconds,
  callerSignal,
  timeoutError,
  abortError = (reason) => reason,
}: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(timeoutError()), milliseconds);
  const onAbort = (): void => controller.abort(abortError(callerSignal?.reason));
  let end = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason as Error);
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
