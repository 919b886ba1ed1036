import { createContext, Script, type Context } from 'node:vm';

/** Thrown when work takes longer than its time limit. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Created once, because creating a context takes a millisecond. */
let shared: { readonly context: Context; readonly script: Script; work: () => void } | undefined;

function sharedContext(): NonNullable<typeof shared> {
  const created = shared ?? {
    context: createContext({ work: () => created.work() }),
    script: new Script('work()'),
    work: () => undefined,
  };
  return (shared = created);
}

/**
 * Runs synchronous work with a time limit that also ends a busy loop.
 *
 * @throws {DeadlineError} if the work takes longer
 */
export function runWithDeadline<Result>(work: () => Result, timeoutMs: number): Result {
  const results: Result[] = [];
  const run = sharedContext();
  run.work = () => void results.push(work());
  try {
    run.script.runInContext(run.context, { timeout: Math.ceil(timeoutMs) });
  } catch (cause) {
    throw isTimeout(cause) ? new DeadlineError('The time limit was reached.', { cause }) : cause;
  } finally {
    run.work = () => undefined;
  }
  return results[0] as Result;
}

/** Checks the code, because the error is from another context and not an instance of this context's `Error`. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
