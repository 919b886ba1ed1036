import { queueTask } from './tasks.js';

/** Reports an error of a page's own code as an uncaught error. */
export const reportError = (error: unknown): void =>
  queueTask(() => {
    throw error;
  });
