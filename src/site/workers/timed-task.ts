/** A task for a thread, which stores the time of its start in `started`, because tasks wait for threads. */
export interface TimedTask<Task> {
  readonly task: Task;
  readonly started: Float64Array<SharedArrayBuffer>;
}

/** Milliseconds of a clock that all threads share. */
export const sharedNow = (): number => performance.timeOrigin + performance.now();

/** Starts the time of a task. */
export function startTask<Task>({ task, started }: TimedTask<Task>): Task {
  started[0] = sharedNow();
  return task;
}
