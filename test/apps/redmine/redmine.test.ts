import { it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import { prepareFlows } from '../flows.js';
import { issueFlows } from './issue-flows.js';
import { nextStepFlows } from './next-step-flows.js';
import { prepareRecipe } from './recipe.js';
import { startRedmine } from './redmine.js';
import { siteFlows } from './site-flows.js';

const skip = skipWithout('redmine');
if (skip) it('Redmine', { skip }, () => undefined);
else {
  const redmine = await startRedmine();
  const addRecipeTests = await prepareRecipe(redmine);
  const addFlows = await prepareFlows(redmine, [
    ...issueFlows(redmine),
    ...siteFlows(redmine),
    ...nextStepFlows(redmine),
  ]);
  addRecipeTests();
  addFlows();
}
