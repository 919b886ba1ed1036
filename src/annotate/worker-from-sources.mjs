// For tests: `node --import tsx` does not apply to worker threads in Node.js 20.
import { register } from 'tsx/esm/api';

register();
export const { annotateInThread } = await import('./files/annotate-task.ts');
