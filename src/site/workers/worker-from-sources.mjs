// `node --import tsx` does not apply to worker threads in Node.js 20. In tests, BUILT_SOURCES names the built sources.
const { BUILT_SOURCES: built } = process.env;
if (!built) (await import('tsx/esm/api')).register();

const load = (worker, source) => import(built ? `${built}/${worker}.js` : source);

export const compileInThread = async (task) => (await load('site/workers/worker', './worker.ts')).compileInThread(task);
export const lintInThread = async (task) => (await load('lint/worker', '../../lint/lint-task.ts')).lintInThread(task);
export const annotateInThread = async (task) =>
  (await load('annotate/worker', '../../annotate/worker.ts')).annotateInThread(task);
export const lintComponentInThread = async (task) =>
  (await load('annotate/worker', '../../annotate/worker.ts')).lintComponentInThread(task);
