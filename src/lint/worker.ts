export { lintTask } from './lint-task.js';
