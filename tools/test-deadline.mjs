import { isMainThread } from 'node:worker_threads';
import { relative } from 'node:path';

/** How long a file of Node tests may take, in seconds: several times what the slowest takes on two busy cores. */
export const fileTimeout = 600;

// Preloaded into the processes of node:test. What a failed test leaves open would keep its file, and so the suite, running.
if (process.env.NODE_TEST_CONTEXT && isMainThread) {
  const end = () => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`${relative('', process.argv[1])} did not end within ${fileTimeout} s. Still open: ${open}.`);
    process.exit(1);
  };
  setTimeout(end, fileTimeout * 1000).unref();
}
