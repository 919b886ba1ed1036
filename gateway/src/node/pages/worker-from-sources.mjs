// `node --import tsx` does not apply to worker threads in Node.js 20. Test runs build the sources, and set
// BUILT_SOURCES.
const { BUILT_SOURCES: built } = process.env;
if (!built) (await import('tsx/esm/api')).register();
export const { createRequest, readAnswer, readForm } = await import(
  built ? `${built}/node/pages/page-worker.js` : './page-worker.ts'
);
