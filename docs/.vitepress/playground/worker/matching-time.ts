/** A group of a pattern that has not ended yet. */
interface Group {
  readonly isLookaround: boolean;
  /** Whether parts of the group match texts of different lengths. */
  isVariable: boolean;
  /** The number of quantifiers that can match long texts. */
  long: number;
  /** The product of the numbers of lengths that the other quantifiers can match, and of the numbers of alternatives. */
  ways: number;
  alternatives: number;
}

const maxLength = 2000;
/** With three, the time is cubic in the length of the value. */
const maxLong = 3;
const maxWays = 10_000;
const maxLinearWays = 100;
const longRepetition = 50;

const token =
  /\\[1-9k]|\\[pPu]\{[^}]*\}|\\[^]|\(\?<?[=!]|\((?:\?(?:<[^>]*>|[a-z-]*:))?|[*+?]\??|\{(?<min>\d+)(?<comma>,?)(?<max>\d*)\}\??|[^]/gu;

/** Matches texts of different lengths in one class: alternatives, and properties of strings. */
const classOfStrings = /\\q\{|\\p\{(?:Basic_Emoji|Emoji_Keycap_Sequence|RGI_)/;

/**
 * The time that matching takes: linear in the length of the value, `long` (up to cubic), or `endless`. Patterns that are
 * fast can be called endless: those that repeat a group with alternatives or with parts of different lengths.
 */
export function matchingTime(pattern: string): 'linear' | 'long' | 'endless' {
  if (pattern.length > maxLength || /\\[1-9k]/.test(pattern) || classOfStrings.test(pattern)) return 'endless';
  const groups = `(?:${withoutClasses(pattern)})`;
  if (exceeds(groups, maxLong, maxWays)) return 'endless';
  return exceeds(groups, 1, maxLinearWays) ? 'long' : 'linear';
}

/** Replaces classes, which can be nested, by a character. */
function withoutClasses(pattern: string): string {
  let text = '';
  let depth = 0;
  for (const [part] of pattern.matchAll(/\\[^]|[^]/g)) {
    if (part === '[' && depth++ === 0) text += 'x';
    else if (part === ']' && depth > 0) depth--;
    else if (depth === 0) text += part;
  }
  return text;
}

/** Whether a group has more long quantifiers, or can match in too many ways. */
function exceeds(pattern: string, maxLong: number, maxWays: number): boolean {
  const groups: Group[] = [newGroup(false)];
  let closed: Group | undefined;
  for (const { 0: part, groups: range } of pattern.matchAll(token)) {
    const group = groups.at(-1) as Group;
    const most = repetitions(part, range);
    if (most !== undefined) {
      if (most > 1 && closed?.isVariable) return true;
      const count = lengthsOf(part, range);
      group.isVariable ||= count > 1;
      if (most > longRepetition) group.long++;
      else group.ways *= count;
    }
    closed = undefined;
    if (part === '|') Object.assign(group, { isVariable: true, alternatives: group.alternatives + 1 });
    else if (part.startsWith('(')) groups.push(newGroup(/^\(\?<?[=!]/.test(part)));
    else if (part === ')' && groups.length > 1) closed = closeGroup(groups);
    if ([group, closed].some((each) => each && (each.long > maxLong || waysOf(each) > maxWays))) return true;
  }
  return false;
}

const newGroup = (isLookaround: boolean): Group => ({
  isLookaround,
  isVariable: false,
  long: 0,
  ways: 1,
  alternatives: 1,
});

/** Each long quantifier after the first multiplies the ways, by ten at least. */
const waysOf = ({ long, ways }: Group): number => ways * 10 ** Math.max(0, long - 1);

/** A lookaround matches from the start again, so that its time is added and not multiplied. */
function closeGroup(groups: Group[]): Group {
  const closed = groups.pop() as Group;
  const outer = groups.at(-1) as Group;
  if (!closed.isLookaround) {
    outer.long += closed.long;
    outer.ways *= closed.ways * closed.alternatives;
    outer.isVariable ||= closed.isVariable;
  }
  return closed;
}

type Range = Readonly<Record<string, string>> | undefined;

/** The greatest number of repetitions of a quantifier; undefined for other parts. */
function repetitions(part: string, range: Range): number | undefined {
  if (/^[*+]/.test(part)) return Infinity;
  if (/^\?\??$/.test(part)) return 1;
  if (range?.min === undefined) return undefined;
  if (!range.comma) return Number(range.min);
  return range.max ? Number(range.max) : Infinity;
}

/** The number of lengths that a quantifier can match. */
function lengthsOf(part: string, range: Range): number {
  if (range?.min === undefined) return 2;
  const most = repetitions(part, range) ?? 1;
  return most - Number(range.min) + 1;
}
