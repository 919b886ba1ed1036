// @module-tag long
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Runner } from './target.js';
import { generate, isFailed } from './run/cases.js';
import { readSeeds } from './run/seeds.js';
import { check as checkPattern } from './targets/patterns.js';
import { targetNamed, targetNames } from './targets/targets.js';

/** Fixed, so that a failure is reproducible. `npm run fuzz` explores. */
const seed = 1;
const caseCount = 200;

async function failuresOf(runner: Runner, cases: readonly unknown[]): Promise<readonly string[]> {
  const outcomes = await runner.run(cases, () => undefined);
  assert.equal(outcomes.length, cases.length);
  return outcomes.filter(isFailed).map(({ failure }) => failure);
}

describe('the fuzz targets', async () => {
  for (const target of await Promise.all(targetNames.map(targetNamed))) {
    if (target.inBrowser) continue;
    it(`find no fault in stored and new cases: ${target.name}`, async () => {
      const runner = await target.open();
      const kept = readSeeds(target.name).map((each) => each.case);
      try {
        assert.deepEqual(await failuresOf(runner, [...kept, ...generate(target, seed, 0).slice(0, caseCount)]), []);
      } finally {
        await runner.close();
      }
    });
  }

  it('find no pattern that makes the matcher of the gateway throw', async () => {
    const target = await targetNamed('patterns');
    const kept = readSeeds(target.name).map((each) => each.case);
    for (const each of [...kept, ...generate(target, seed, 0).slice(0, caseCount)]) {
      checkPattern(each as Parameters<typeof checkPattern>[0]);
    }
  });
});
