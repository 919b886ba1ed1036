import { it } from 'vitest';
import { skipWithout } from '../../tools/programs.mjs';
import { adminFlows } from './django/admin-flows.js';
import { badInputFlows } from './django/bad-input.js';
import { startLibrary } from './django/library.js';
import { siteFlows } from './django/site-flows.js';
import { runFlows } from './flows.js';

const skip = skipWithout('django');
if (skip) it('Django', { skip }, () => undefined);
else {
  const library = await startLibrary();
  await runFlows(library, [...siteFlows(library), ...adminFlows(library), ...badInputFlows(library)]);
}
