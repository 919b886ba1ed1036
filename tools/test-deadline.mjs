import { isMainThread } from 'node:worker_threads';
import { relative } from 'node:path';

/** The deadline of a file of Node tests in seconds: several times the duration of the slowest file on two busy cores. */
export const fileTimeout = 600;

// Preloaded into the processes of node:test. Handles that a failed test leaves open would keep the suite running.
if (process.env.NODE_TEST_CONTEXT && isMainThread) {
  const end = () => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`${relative('', process.argv[1])} did not end within ${fileTimeout} s. Still open: ${open}.`);
    process.exit(1);
  };
  setTimeout(end, fileTimeout * 1000).unref();
}
