/** The functions that run in threads. */
export { annotateInThread } from './files/annotate-task.js';
export { lintComponentInThread } from './files/lint-components.js';
