import type { Tinypool } from 'tinypool';
import {
  bugProblem,
  heapProblem,
  sharedNow,
  timeoutProblem,
  type PageOutcome,
  type PageTask,
  type TimedTask,
} from '../pages/process-page.js';
import type { ProcessOptions } from './process-pages.js';

export interface Pool<Task, Result> {
  readonly run: (task: Task) => Promise<PageOutcome<Result>>;
  readonly end: () => Promise<void>;
}

export interface PoolOptions extends ProcessOptions {
  /** The worker module, and the function that it exports. */
  readonly filename: string;
  readonly name: string;
  readonly verb: string;
  /** The heap of each thread, in megabytes. A thread that needs more is replaced. @default the heap of Node.js */
  readonly megabytes?: number;
}

/** Creates a pool, whose threads start with the first task. */
export function createPool<Task extends PageTask, Result>(options: PoolOptions): Pool<Task, Result> {
  let threads: Promise<Tinypool> | undefined;
  return {
    run: async (task) => {
      threads ??= startThreads(options);
      return await runTask(await threads, task, options);
    },
    end: async () => (await threads)?.destroy(),
  };
}

async function runTask<Task extends PageTask, Result>(
  threads: Tinypool,
  task: Task,
  { verb, timeoutMs }: PoolOptions,
): Promise<PageOutcome<Result>> {
  const started = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  const limit = limitTime(started, timeoutMs);
  const timed: TimedTask<Task> = { task, started };
  try {
    const outcome: unknown = await threads.run(timed, { transferList: transferable(task), signal: limit.signal });
    return outcome as PageOutcome<Result>;
  } catch (cause) {
    if (limit.signal.aborted) return { problem: timeoutProblem(verb, timeoutMs) };
    return { problem: isOutOfMemory(cause) ? heapProblem() : bugProblem(verb, cause) };
  } finally {
    limit.clear();
  }
}

/** Aborts when a task has run for longer than its time limit. */
function limitTime(started: Float64Array, timeoutMs: number): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  let timer = setTimeout(check, timeoutMs);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };

  function check(): void {
    const [start = 0] = started;
    const rest = start === 0 ? timeoutMs : start + timeoutMs - sharedNow();
    if (rest > 0) timer = setTimeout(check, rest);
    else controller.abort();
  }
}

/** The buffer of a page, if the buffer contains nothing else. Other buffers cannot be transferred. */
const transferable = ({ content }: PageTask): ArrayBuffer[] =>
  content instanceof Uint8Array && isWhole(content) ? [content.buffer] : [];

const isWhole = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength;

/** The size of the young generation of a thread: half of the default of Node.js, to save memory. It takes no more time. */
const youngMegabytes = 24;

async function startThreads({ jobs, filename, name, megabytes }: PoolOptions): Promise<Tinypool> {
  const { Tinypool } = await import('tinypool');
  return new Tinypool({
    filename,
    name,
    minThreads: jobs,
    maxThreads: jobs,
    resourceLimits: {
      maxYoungGenerationSizeMb: youngMegabytes,
      ...(megabytes !== undefined && { maxOldGenerationSizeMb: megabytes }),
    },
  });
}

const isOutOfMemory = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
