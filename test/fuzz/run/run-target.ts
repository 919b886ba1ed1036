// Runs one target in a worker thread, under a watchdog. The arguments are a target, a number of cases and a seed. Prints
// one line of JSON with the result.
import { Worker } from 'node:worker_threads';
import { readSeeds, writeSeed } from './seeds.js';
import { targetNamed } from '../targets/targets.js';
import { state, type FailureMessage, type Job, type Message } from './messages.js';
import { generate } from './cases.js';

/** The limit for one case, in milliseconds of CPU time of this process. */
const cpuLimitMs = 10_000;
/** The limit for a case that waits for something that never happens. */
const wallLimitMs = 60_000;
const maxOldGenerationSizeMb = 2000;

const [name = '', caseCount = '0', seedText = '0'] = process.argv.slice(2);
const [cases, seed] = [Number(caseCount), Number(seedText)];
const target = await targetNamed(name);
const replay = readSeeds(name).map((each) => each.case);

const result = {
  target: name,
  cases: 0,
  failures: 0,
  slowest: 0,
  slowestCase: '',
  seed,
  kinds: {} as Record<string, number>,
};
const isNew = (kind: string): boolean => !Object.hasOwn(result.kinds, kind);

function record({ kind, isKept, batch, index, value, failure }: Omit<FailureMessage, 'type' | 'isNew'>): void {
  result.failures++;
  const isFirst = isNew(kind);
  result.kinds[kind] = (result.kinds[kind] ?? 0) + 1;
  if (!isFirst) return;
  const place = isKept ? `kept seed ${index + 1}` : `batch ${batch}, case ${index}`;
  console.error(`${name}: ${place} failed: ${failure}`);
  if (!isKept) console.error(`  kept in ${writeSeed(name, kind, { failure, case: value })}`);
}

type Ending = 'end' | { readonly stopped: string };

/** Runs a worker until it ends or hangs. */
function runWorker(job: Omit<Job, 'shared' | 'known'>, clock: Int32Array): Promise<Ending> {
  const workerData = { ...job, shared: clock.buffer, known: Object.keys(result.kinds) };
  const limits = { maxOldGenerationSizeMb };
  const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData, resourceLimits: limits });
  return new Promise((resolve) => {
    let reason: string | undefined;
    const stopWatch = watch(clock, (hang) => {
      reason = hang;
      void worker.terminate();
    });
    const settle = (ending: Ending): void => {
      stopWatch();
      resolve(ending);
    };
    worker.on('message', (message: Message) => receive(message, settle));
    worker.on('error', (error) =>
      settle({ stopped: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
    worker.on('exit', (code) => settle({ stopped: reason ?? `the thread exited with ${code}` }));
  });
}

function receive(message: Message, settle: (ending: Ending) => void): void {
  if (message.type === 'failure') return record(message);
  if (message.type === 'end') return settle('end');
  if (message.batch >= 0) result.cases += message.cases;
  const { milliseconds, index } = message.slowest;
  if (milliseconds > result.slowest)
    Object.assign(result, { slowest: milliseconds, slowestCase: `${message.batch}.${index}` });
  if (message.batch % 20 === 19) console.error(`${name}: ${result.cases} cases, ${result.failures} failures`);
}

/** Calls `stop` when the worker has not started another case within the limits. */
function watch(clock: Int32Array, stop: (reason: string) => void): () => void {
  let ticks = -1;
  let [cpu, wall] = [0, 0];
  const timer = setInterval(() => {
    const now = Atomics.load(clock, state.ticks);
    const { user, system } = process.cpuUsage();
    const [cpuMs, wallMs] = [(user + system) / 1000, performance.now()];
    if (now !== ticks || Atomics.load(clock, state.shrinking) === 1) [ticks, cpu, wall] = [now, cpuMs, wallMs];
    else if (cpuMs - cpu > cpuLimitMs) stop(`hang: a case takes more than ${cpuLimitMs} ms of CPU time`);
    else if (wallMs - wall > wallLimitMs) stop(`hang: a case takes more than ${wallLimitMs} ms`);
  }, 200);
  return () => clearInterval(timer);
}

/** Records that the target could not be opened. */
const recordStart = (failure: string): void =>
  record({ kind: 'the target does not start', isKept: true, batch: 0, index: 0, value: null, failure });

/** Restarts the worker after a hang or a crash: first case by case to find the culprit, then after it. */
async function run(): Promise<void> {
  let [from, single, skip]: [number, number | undefined, number] = [0, undefined, 0];
  for (let replayed: readonly unknown[] = replay; ; replayed = []) {
    const clock = new Int32Array(new SharedArrayBuffer(4 * state.length));
    const ending = await runWorker({ target: name, seed, cases, from, single, skip, replay: replayed }, clock);
    if (ending === 'end') return;
    if (Atomics.load(clock, state.ticks) === 0) return recordStart(ending.stopped);
    const [batch, index] = [Atomics.load(clock, state.batch), Atomics.load(clock, state.index)];
    if (batch === single || target.batch === 1) {
      const value = Atomics.load(clock, state.generating) === 0 ? generate(target, seed, batch)[index] : null;
      record({
        kind: ending.stopped.split('\n')[0] ?? '',
        isKept: false,
        batch,
        index,
        value,
        failure: ending.stopped,
      });
      [from, single, skip] = [batch, batch, index + 1];
      result.cases++;
    } else {
      console.error(`${name}: batch ${batch} stopped (${ending.stopped}). Its cases run again one by one.`);
      [from, single, skip] = [batch, batch, 0];
    }
    if (result.failures > 200) return;
  }
}

const start = performance.now();
await run();
const seconds = Math.round((performance.now() - start) / 100) / 10;
console.log(JSON.stringify({ ...result, slowest: Math.round(result.slowest), seconds }));
process.exit(0);
