import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Tinypool } from 'tinypool';
import type { ToolAnswer } from 'webmcp-forms/client';
import {
  type AnswerTask,
  type FormValues,
  hasCode,
  inlineReader,
  type PageReader,
  type PageSearch,
  ReadError,
  SubmissionError,
} from 'webmcp-forms/headless';
import type { Outcome } from './page-worker.js';

export interface NodePageReader extends PageReader {
  /** Ends the threads and their calls. */
  close(): Promise<void>;
}

export interface PageReaderOptions {
  /** The size from which pages are read in a thread, in bytes. @default 200000 */
  readonly minBytes?: number;
  /** The memory of a thread, in megabytes. @default 400 */
  readonly megabytes?: number;
  /** The maximum number of threads. They end when they are idle. @default one less than the cores, from 1 to 4 */
  readonly threads?: number;
}

/**
 * Reads large pages and responses in other threads, so that a page can block or exhaust only its own call. Node only.
 *
 * @example
 * createGateway(manifest, { baseUrl, fetch: createNodeFetch(), pageReader: createPageReader() });
 */
export function createPageReader(options: PageReaderOptions = {}): NodePageReader {
  const filename = workerPath();
  const { minBytes = filename === undefined ? Infinity : 200_000 } = options;
  let threads: Promise<Tinypool> | undefined;
  const run = async <Result>(name: string, task: unknown, signal: AbortSignal): Promise<Result> => {
    threads ??= startThreads({ ...options, filename });
    const pool = await threads;
    return resultOf(await untilAbort(signal, (signal) => pool.run(task, { name, signal }) as Promise<Outcome<Result>>));
  };
  const isSmall = ({ response }: AnswerTask | PageSearch): boolean => response.bytes.length < minBytes;
  return {
    createRequest: (task, signal) =>
      isSmall(task) ? inlineReader.createRequest(task, signal) : run('createRequest', task, signal),
    readForm: async (task, signal) =>
      isSmall(task)
        ? await inlineReader.readForm(task, signal)
        : (JSON.parse(await run<string>('readForm', task, signal)) as FormValues),
    readAnswer: async (task, signal) =>
      isSmall(task)
        ? await inlineReader.readAnswer(task, signal)
        : (JSON.parse(await run<string>('readAnswer', task, signal)) as ToolAnswer),
    close: async () => {
      await (await threads)?.destroy();
    },
  };
}

/**
 * Runs a task whose thread ends when the signal is aborted. The pool receives a signal of its own, because aborting
 * `signal` after the task would also end the thread.
 */
async function untilAbort<Result>(signal: AbortSignal, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await run(controller.signal).catch(throwReadError);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const idleMs = 30_000;
const maxThreads = (): number => Math.max(1, Math.min(4, availableParallelism() - 1));

/**
 * The module of the threads; undefined if this module was bundled without it. Sources have a module of their own,
 * because worker threads of Node.js 20 do not inherit a TypeScript loader.
 */
function workerPath(): string | undefined {
  const { url } = import.meta;
  const path = fileURLToPath(
    url.endsWith('.ts')
      ? new URL('worker-from-sources.mjs', url)
      : url.replace(/\/dist\/(?!.*\/dist\/).*$/, '/dist/node/pages/page-worker.js'),
  );
  return path !== fileURLToPath(url) && existsSync(path) ? path : undefined;
}

async function startThreads({
  filename,
  megabytes = 400,
  threads = maxThreads(),
}: PageReaderOptions & { readonly filename: string | undefined }): Promise<Tinypool> {
  const { Tinypool } = await import('tinypool');
  const pool = new Tinypool({
    ...(filename !== undefined && { filename }),
    minThreads: 1, // replaces the last thread when it has ended, so that waiting tasks continue
    maxThreads: threads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 },
  });
  pool.on('error', () => undefined); // a thread without a task has ended
  return pool;
}

function resultOf<Result>(outcome: Outcome<Result>): Result {
  if ('result' in outcome) return outcome.result;
  const { code, message, ...options } = outcome.failure;
  throw new SubmissionError(code, message, options);
}

function throwReadError(cause: unknown): never {
  if (cause instanceof Error && cause.name === 'AbortError') throw new ReadError('time', cause);
  if (hasCode(cause, 'ERR_WORKER_OUT_OF_MEMORY')) throw new ReadError('memory', cause);
  throw cause;
}
