/** A generator of numbers from 0 to 1 that a seed determines: mulberry32. */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    /** An integer below the limit. */
    below: (limit) => Math.floor(next() * limit),
    pick: (list) => list[Math.floor(next() * list.length)],
    chance: (share) => next() < share,
    /** A key of an object whose values are the weights. */
    weighted(weights) {
      const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      let rest = next() * total;
      for (const [key, weight] of Object.entries(weights)) if ((rest -= weight) < 0) return key;
      return Object.keys(weights)[0];
    },
  };
}
