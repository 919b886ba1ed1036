import { parentPort, workerData } from 'node:worker_threads';
import { targetNamed } from '../targets/targets.js';
import type { Runner } from '../target.js';
import { generate, isFailed, kindOf, shrink } from './cases.js';
import { state, type Job, type Message } from './messages.js';

const { target: name, seed, cases, from, single, skip, replay, shared, known } = workerData as Job;
const clock = new Int32Array(shared);
const target = await targetNamed(name);
const knownKinds = new Set(known);

const send = (message: Message): void => parentPort?.postMessage(message);

/** Reports the current case to the watchdog. */
function begin(index: number): void {
  Atomics.store(clock, state.index, index);
  Atomics.add(clock, state.ticks, 1);
}

async function runBatch(runner: Runner, batch: number, values: readonly unknown[], isKept: boolean): Promise<void> {
  const isSingle = single === batch;
  const start = isSingle ? skip : 0;
  const outcomes = isSingle ? await runSingly(runner, values.slice(start), start) : await runner.run(values, begin);
  const slowest = { milliseconds: 0, index: 0 };
  for (const [offset, outcome] of outcomes.entries()) {
    const { milliseconds } = outcome;
    if (milliseconds > slowest.milliseconds) Object.assign(slowest, { milliseconds, index: offset + start });
    if (isFailed(outcome)) await report(runner, batch, offset + start, values[offset + start], outcome.failure, isKept);
  }
  send({ type: 'batch', batch, cases: outcomes.length, slowest });
}

async function runSingly(runner: Runner, values: readonly unknown[], start: number) {
  const outcomes = [];
  for (const [index, value] of values.entries()) {
    begin(start + index);
    outcomes.push(...(await runner.run([value], () => undefined)));
  }
  return outcomes;
}

async function report(
  runner: Runner,
  batch: number,
  index: number,
  value: unknown,
  failure: string,
  isKept: boolean,
): Promise<void> {
  const kind = kindOf(failure);
  const isNew = !knownKinds.has(kind);
  knownKinds.add(kind);
  Atomics.store(clock, state.shrinking, 1);
  const smaller = isNew && !isKept ? await shrink(target, runner, { seed, batch, index, failure }) : undefined;
  Atomics.store(clock, state.shrinking, 0);
  send({ type: 'failure', kind, isNew, isKept, batch, index, value, failure, ...smaller });
}

const runner = await target.open();
if (replay.length > 0) await runBatch(runner, -1, replay, true);
for (let batch = from; batch * target.batch < cases; batch++) {
  Atomics.store(clock, state.batch, batch);
  begin(0);
  Atomics.store(clock, state.generating, 1);
  const values = generate(target, seed, batch).slice(0, cases - batch * target.batch);
  Atomics.store(clock, state.generating, 0);
  await runBatch(runner, batch, values, false);
}
await runner.close();
send({ type: 'end' });
