import { queueTask } from '../../platform/tasks.js';

/** Reports an error of a page's own code as the page's, without ending what goes on. */
export const report = (error: unknown): void =>
  queueTask(() => {
    throw error;
  });
