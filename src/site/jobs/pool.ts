import type { Tinypool } from 'tinypool';
import type { PageTask } from '../pages/process-page.js';
import { bugError, UsageError } from '../usage-error.js';

export interface Pool<Task, Outcome> {
  readonly run: (task: Task) => Promise<Outcome>;
  readonly end: () => Promise<void>;
}

export interface PoolOptions {
  readonly jobs: number;
  /** The worker module, and the function that it exports. */
  readonly filename: string;
  readonly name: string;
  /** The verb for error messages. */
  readonly verb: string;
  /**
   * The heap of each thread, in megabytes.
   * @default that of Node.js
   */
  readonly megabytes?: number;
}

/** Creates a pool, whose threads start with the first task. */
export function createPool<Task extends PageTask, Outcome>(options: PoolOptions): Pool<Task, Outcome> {
  let threads: Promise<Tinypool> | undefined;
  return {
    run: async (task) => {
      threads ??= startThreads(options);
      const outcome = (await threads).run(task, { transferList: transferable(task) }) as Promise<Outcome>;
      return await outcome.catch((cause: unknown) => throwThreadError(`${options.verb} ${task.where}`, cause));
    },
    end: async () => (await threads)?.destroy(),
  };
}

/** Only a buffer that contains nothing else can be transferred. */
const transferable = ({ content }: PageTask): ArrayBuffer[] =>
  content instanceof Uint8Array && isWhole(content) ? [content.buffer] : [];

const isWhole = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength;

/** Half of the default of Node.js, which saves memory and takes the same time. */
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

function throwThreadError(what: string, cause: unknown): never {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'))
    throw bugError(what, cause);
  const advice = 'Split the page, or set NODE_OPTIONS=--max-old-space-size=8000.';
  throw new UsageError(`Cannot ${what}: it needs more memory than a thread has. ${advice}`, { cause });
}
