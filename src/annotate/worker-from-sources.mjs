// `node --import tsx` does not apply to worker threads in Node.js 20. Tests have built the sources.
const { BUILT_SOURCES: built } = process.env;
if (!built) (await import('tsx/esm/api')).register();
export const { annotateInThread } = await import(built ? `${built}/annotate/worker.js` : './files/annotate-task.ts');
