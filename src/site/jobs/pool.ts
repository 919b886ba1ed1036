import type { Tinypool } from 'tinypool';
import { reasonOf, UsageError } from '../usage-error.js';
import type { PageContent } from '../pages/may-hold-tools.js';

/** Works on pages, here or in other threads. */
export interface Pool<Task, Outcome> {
  readonly run: (task: Task) => Promise<Outcome>;
  /** Ends its threads. */
  readonly end: () => Promise<void>;
}

export interface PoolOptions {
  /** How many threads work. */
  readonly jobs: number;
  /** The module that they load, and the function of it that they run. */
  readonly filename: string;
  readonly name: string;
  /** What it does with pages, for errors. */
  readonly verb: string;
  /** How much memory each has; as much as Node.js gives a program when it is not said. */
  readonly megabytes?: number;
}

/** What a thread is given. */
export interface PoolTask {
  /** What errors call it. */
  readonly where: string;
  /** Bytes go to the thread and are no more in this one. */
  readonly content?: PageContent;
}

/** Works in threads, which start with the first page that needs them. */
export function createPool<Task extends PoolTask, Outcome>(options: PoolOptions): Pool<Task, Outcome> {
  let threads: Promise<Tinypool> | undefined;
  return {
    run: async (task) => {
      threads ??= startThreads(options);
      const outcome = (await threads).run(task, { transferList: transferable(task) }) as Promise<Outcome>;
      return await outcome.catch((cause: unknown) => died(`${options.verb} ${task.where}`, cause));
    },
    end: async () => (await threads)?.destroy(),
  };
}

/** Bytes that share their memory with others have to be copied. */
const transferable = ({ content }: PoolTask): ArrayBuffer[] =>
  content instanceof Uint8Array && isWhole(content) ? [content.buffer] : [];

const isWhole = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength;

/** Half of what Node.js gives a thread for what lives shortly: it costs a page no time, and leaves less to look through. */
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

function died(what: string, cause: unknown): never {
  const isMemory = cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  const reason = isMemory
    ? 'it needs more memory than a thread has: split it, or set NODE_OPTIONS=--max-old-space-size=8000'
    : `${reasonOf(cause)}: this is a fault of webmcp-forms: please report it with the page`;
  throw new UsageError(`cannot ${what}: ${reason}`, { cause });
}
