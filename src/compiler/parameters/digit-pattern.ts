/** The alternatives of a regular expression; an empty list matches nothing. */
export type Union = readonly string[];
export type Predicate = (number: number) => boolean;
/** The numbers whose quotient (head) and remainder (tail) by a unit are in these ranges. */
type Row = readonly [firstHead: number, lastHead: number, firstTail: number, lastTail: number];

export const always: Predicate = () => true;

export function between(min: number, max: number): Predicate {
  return (number) => number >= min && number <= max;
}

/** Splits a range at multiples of the unit: the end of the first unit, whole units, the start of the last unit. */
export function rows(min: number, max: number, unit: number): readonly Row[] {
  if (min > max) return [];
  const first = Math.floor(min / unit);
  const last = Math.floor(max / unit);
  const cut = first === last ? min : min % unit ? (first + 1) * unit : (max + 1) % unit ? last * unit : min;
  if (cut > min) return [...rows(min, cut - 1, unit), ...rows(cut, max, unit)];
  return [[first, last, min - first * unit, max - last * unit]];
}

export const twoDigits = (has: Predicate): Union =>
  shareTails(
    0,
    9,
    (tens) => [digit(tens)],
    (ten) => digit((unit) => has(ten * 10 + unit)),
  );

/** Joins heads and tails. Heads with equal tails are grouped; heads with an empty tail are omitted. */
export function shareTails(
  first: number,
  last: number,
  heads: (has: Predicate) => Union,
  tail: (head: number) => string,
): Union {
  const headsByTail = new Map<string, Set<number>>();
  for (let head = first; head <= last; head++) {
    const end = tail(head);
    headsByTail.set(end, (headsByTail.get(end) ?? new Set()).add(head));
  }
  headsByTail.delete('');
  return [...headsByTail].flatMap(([end, set]) => {
    const union = heads((head) => set.has(head));
    return sequence(union, end);
  });
}

/** A character class or a single digit; empty if no digit satisfies the predicate. */
export function digit(has: Predicate): string {
  let set = '';
  let run = '';
  for (let number = 0; number <= 10; number++) {
    if (number < 10 && has(number)) run += number;
    else {
      set += run.length > 2 ? `${run[0]}-${run.at(-1)}` : run;
      run = '';
    }
  }
  return set.length > 1 ? `[${set}]` : set;
}

export function sequence(...parts: readonly (Union | string)[]): Union {
  const sources = parts.map(group);
  return sources.includes('') ? [] : [sources.join('')];
}

export function group(union: Union | string): string {
  if (typeof union === 'string') return union;
  return union.length > 1 ? `(?:${union.join('|')})` : (union[0] ?? '');
}

export const optional = (union: Union): string => `(?:${union.join('|')})?`;
