import { it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import { runFlows } from '../flows.js';
import { issueFlows } from './issue-flows.js';
import { startRedmine } from './redmine.js';
import { siteFlows } from './site-flows.js';

const skip = skipWithout('redmine');
if (skip) it('Redmine', { skip }, () => undefined);
else {
  const redmine = await startRedmine();
  await runFlows(redmine, [...issueFlows(redmine), ...siteFlows(redmine)]);
}
