/** The processor time of a run in milliseconds, which is less noisy than wall-clock time. */
function time(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Returns the median time of each run, and the median of its ratio to another run in the same turn. The runs alternate,
 * so that noise affects all of them, and the first turns only warm up.
 */
export function race(runs, { turns = 9, warmUp = 3 } = {}) {
  const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let turn = -warmUp; turn < turns; turn++) {
    for (const [name, run] of Object.entries(runs)) {
      globalThis.gc?.();
      const elapsed = time(run);
      if (turn >= 0) times[name].push(elapsed);
    }
  }
  return {
    milliseconds: (name) => median(times[name]),
    ratio: (name, other) => median(times[name].map((elapsed, turn) => elapsed / times[other][turn])),
  };
}
