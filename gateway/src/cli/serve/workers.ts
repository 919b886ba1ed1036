import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from 'webmcp-forms/build';
import type { Log } from '../../node/log.js';
import { shareRateLimits } from '../../node/rate-limit.js';

/** Where a gateway is, as its log says it. */
export interface Place {
  readonly url: string;
  readonly mcp: string;
  readonly workers?: number;
}

export interface WorkersOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Whether the workers count calls in this process. */
  readonly sharesRateLimits: boolean;
  /** Called when all of them listen. */
  readonly announce: (address: Place) => Promise<void>;
}

/** Has a number of processes run the same program, until the signal is aborted. */
export async function runWorkers(count: number, options: WorkersOptions): Promise<void> {
  const { signal, sharesRateLimits, announce } = options;
  if (sharesRateLimits) await shareRateLimits();
  try {
    const { address, port } = await startWorker(); // what keeps one from listening is told once
    await Promise.all(Array.from({ length: count - 1 }, startWorker));
    cluster.on('exit', (worker, code, by) => void replace(worker, { code, by }, options));
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;
    await announce({ url, mcp: `${url}mcp`, workers: count });
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    const left = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(left.map(stop));
  }
}

interface Failure {
  readonly failure: string;
}

const isFailure = (message: unknown): message is Failure =>
  typeof message === 'object' && message !== null && 'failure' in message;

/** In a worker: says why it cannot start, and ends. */
export function tellPrimary(failure: string): void {
  process.exitCode = 2;
  const message: Failure = { failure };
  process.send?.(message, () => process.disconnect());
}

/** Resolves when a new worker listens. */
function startWorker(): Promise<{ readonly address: string; readonly port: number }> {
  const worker = cluster.fork();
  return new Promise((resolve, reject) => {
    let reason = 'a worker ended before it listened';
    worker.on('message', (message: unknown) => {
      if (isFailure(message)) reason = message.failure;
    });
    worker.once('listening', ({ address, port }: Address) => resolve({ address, port }));
    worker.once('exit', () => reject(new UsageError(reason)));
  });
}

interface Exit {
  readonly code: number;
  /** The signal that ended it. */
  readonly by: string;
}

async function replace({ process: { pid } }: Worker, { code, by }: Exit, options: WorkersOptions): Promise<void> {
  const { log, signal } = options;
  if (signal.aborted) return;
  log.error({ worker: pid, code, by }, 'a worker ended: another one takes its place');
  try {
    await wait(1000, undefined, { signal });
    await startWorker();
  } catch (error) {
    if (!(error instanceof UsageError)) return; // nobody wants another one any more
    log.error({ reason: error.message }, 'the worker did not start');
  }
}

/** Longer than calls get. */
const patience = 15_000;

async function stop(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, 'exit');
  if (worker.isConnected()) worker.send('stop');
  const isLate = new AbortController();
  const late = wait(patience, undefined, { signal: isLate.signal }).then(
    () => worker.process.kill('SIGKILL'),
    () => undefined,
  );
  await ended;
  isLate.abort();
  await late;
}
