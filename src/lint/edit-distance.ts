const maxLength = 60;

/** The most similar name, if any name is similar enough. Names of very different lengths are not compared. */
export function nearest(text: string, names: Iterable<string>): string | undefined {
  if (text.length > maxLength) return undefined;
  let best: string | undefined;
  let least = Math.max(2, Math.floor(text.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - text.length) >= least) continue;
    const distance = editDistance(text, name);
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance (optimal string alignment) */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  let before: readonly number[] = [];
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const substituted = at(row, j - 1) + Number(one[i - 1] !== other[j - 1]);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? at(before, j - 2) + 1 : Infinity;
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, substituted, swapped));
    }
    [before, row] = [row, next];
  }
  return at(row, other.length);
}

const at = (row: readonly number[], index: number): number => row[index] as number;
