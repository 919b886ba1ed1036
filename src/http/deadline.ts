/** A deadline for operations. It ends with a timeout, or when the caller aborts. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Settles like the promise, but rejects if the deadline ends first. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  clear(): void;
}

interface DeadlineOptions {
  readonly milliseconds: number;
  readonly callerSignal?: AbortSignal | undefined;
  readonly timeoutError: () => Error;
  /** Converts the reason of the caller's signal. @default no conversion */
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
  ended.catch(() => undefined); // prevents an unhandled rejection outside of a race
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
