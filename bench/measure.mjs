/** The processor time of a run in milliseconds, which is less noisy than wall-clock time. */
function time(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * The times of runs in turns, so that what disturbs one disturbs all; the first turns only warm up. Gives the median time
 * of a run, and the median of its ratios to another, turn by turn.
 */
export function race(runs, { turns = 9, warmUp = 3 } = {}) {
  const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let turn = -warmUp; turn < turns; turn++) {
    for (const [name, run] of Object.entries(runs)) {
      globalThis.gc?.();
      const taken = time(run);
      if (turn >= 0) times[name].push(taken);
    }
  }
  return {
    milliseconds: (name) => median(times[name]),
    ratio: (name, other) => median(times[name].map((taken, turn) => taken / times[other][turn])),
  };
}
