import { it } from 'vitest';
import { skipWithout } from '../../../tools/programs.mjs';
import { runFlows } from '../flows.js';
import { administration, sessions, uploads } from './admin-flows.js';
import { startBlog } from './application.js';
import { posts } from './post-flows.js';
import { comments, logins } from './visitor-flows.js';

const skip = skipWithout('wordpress');
if (skip) it('WordPress', { skip }, () => undefined);
else {
  const blog = await startBlog();
  const flows = [comments, posts, uploads, administration, sessions].flatMap((flowsOf) => flowsOf(blog));
  await runFlows(blog, [...logins, ...flows]);
}
