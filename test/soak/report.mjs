// The tables of a soak: counts with their limits, and the growth of a measured value.

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The slope of a line through samples, by least squares. */
function slopeOf(samples) {
  const mean = (key) => samples.reduce((sum, sample) => sum + sample[key], 0) / samples.length;
  const [time, value] = [mean('time'), mean('value')];
  const products = samples.map((sample) => (sample.time - time) * (sample.value - value));
  const squares = samples.map((sample) => (sample.time - time) ** 2);
  const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
  return sum(products) / (sum(squares) || 1);
}

const warmUpShare = 0.2;

/**
 * Compares the median of the early third, after the warm-up, with that of the last third.
 *
 * @param samples - `time` in milliseconds and `value`
 */
export function growthOf(samples) {
  const warm = samples.slice(Math.floor(samples.length * warmUpShare));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const medianOf = (part) => (part.length === 0 ? 0 : median(part.map(({ value }) => value)));
  return {
    early: medianOf(warm.slice(0, third)),
    late: medianOf(warm.slice(-third)),
    aMinute: warm.length < 2 ? 0 : slopeOf(warm) * 60_000,
    samples: samples.length,
  };
}

export class Report {
  #rows = [];
  #examples = [];

  /** Adds a number without a limit. */
  note(what, count) {
    this.#rows.push({ what, count, limit: '', ok: '' });
  }

  /** Adds a number that must not exceed a limit. */
  check(what, count, limit = 0) {
    this.#rows.push({ what, count, limit, ok: count <= limit });
  }

  /** Adds a number that must reach a limit. */
  checkLeast(what, count, least) {
    this.#rows.push({ what, count, limit: `>= ${least}`, ok: count >= least });
  }

  /** Adds the growth of a value. Without enough samples, it has no limit. */
  checkGrowth(what, samples, { share, more, minimum = 12, unit = '' }) {
    const { early, late, aMinute, samples: number } = growthOf(samples);
    const limit = early * (1 + share) + more;
    const text = (value) => `${Math.round(value * 100) / 100}${unit}`;
    const count = `${text(early)} -> ${text(late)} (${text(aMinute)} a minute, ${number} samples)`;
    if (number < minimum) return this.note(what, `${count}: too few samples to compare`);
    return this.#rows.push({ what, count, limit: text(limit), ok: late <= limit });
  }

  /** Adds the first examples of a violation, which are printed below the table. */
  examples(list) {
    this.#examples.push(...list);
  }

  get isOk() {
    return this.#rows.every(({ ok }) => ok !== false);
  }

  print(title) {
    console.log(title);
    console.table(Object.fromEntries(this.#rows.map(({ what, ...row }) => [what, row])));
    for (const example of this.#examples) console.log(example);
  }
}

/** Counts by name, with the first examples of each. */
export class Tally {
  #counts = new Map();
  #examples = [];

  add(name, example) {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    if (example !== undefined && count <= 5) this.#examples.push(`${name}: ${example}`.slice(0, 600));
  }

  count(name) {
    return this.#counts.get(name) ?? 0;
  }

  get examples() {
    return this.#examples;
  }

  get sorted() {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  get total() {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }
}
