import {
  matchPattern,
  WorkBudget,
  WorkExceededError,
  type PatternResult,
} from '../../../src/headless/constraints/pattern.js';
import { isValidPattern } from '../../../src/compiler/html/pattern.js';
import { longTexts, patternCases, type PatternCase } from '../generators/patterns.js';
import { ChromiumPage } from '../run/chromium.js';
import { hold, outcomeOf, type Outcome, type Target } from '../target.js';

/** Patterns: the gateway's matcher and Chromium's give the same answer, or the gateway leaves it to the site. */
export const patterns: Target<PatternCase> = {
  name: 'patterns',
  cases: patternCases,
  batch: 1000,
  inBrowser: true,
  open: async () => {
    const page = await ChromiumPage.open('patterns');
    return {
      run: async (cases, begin) => {
        const expected = await expectedMatches(page, cases, begin);
        const outcomes: Outcome[] = [];
        for (const [index, each] of cases.entries()) {
          begin(index);
          outcomes.push(await outcomeOf(() => check(each, expected[index])));
        }
        return outcomes;
      },
      close: () => page.close(),
    };
  },
};

type Matches = readonly boolean[] | null | undefined;

/** The matches of Chromium. Undefined for patterns that take too long. */
async function expectedMatches(
  page: ChromiumPage,
  cases: readonly PatternCase[],
  begin: (index: number) => void,
): Promise<readonly Matches[]> {
  begin(0);
  try {
    return await page.call<Matches[]>('match', cases, 5000 + cases.length);
  } catch {
    if (cases.length === 1) return [undefined];
    const middle = Math.ceil(cases.length / 2);
    const halves = [cases.slice(0, middle), cases.slice(middle)];
    const matches: Matches[] = [];
    for (const half of halves) matches.push(...(await expectedMatches(page, half, begin)));
    return matches;
  }
}

/** One in this many patterns is also matched with long texts. */
const rare = 20;

/** The invariants of one pattern. Without expected matches, only the results and the time are checked. */
export function check({ pattern, texts }: PatternCase, expected?: Matches): void {
  const budget = new WorkBudget();
  for (const [index, text] of texts.entries()) {
    const result = resultOf(pattern, text, budget);
    if (expected === undefined || result === 'unknown' || result === 'too complex') continue;
    if (expected !== null && !isValidPattern(pattern)) continue; // Node.js 20 has no inline modifiers
    const isMatch = expected?.[index] ?? true; // an invalid pattern matches everything
    hold(isMatch === (result === 'match'), 'the gateway and Chromium agree', JSON.stringify({ pattern, text, result }));
  }
  if (pattern.length % rare === 0) for (const text of longTexts) resultOf(pattern, text, new WorkBudget());
}

function resultOf(pattern: string, text: string, budget: WorkBudget): PatternResult | 'too complex' {
  try {
    const result = matchPattern(pattern, text, budget);
    hold(['match', 'mismatch', 'unknown'].includes(result), 'a pattern has a listed result', result);
    return result;
  } catch (error) {
    if (error instanceof WorkExceededError) return 'too complex';
    throw error;
  }
}
