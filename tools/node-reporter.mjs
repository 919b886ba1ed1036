import { writeFileSync } from 'node:fs';

/** The maximum time between the ends of two tests, in seconds. Timeouts of tests are less than half of it. */
const deadline = 300;

const describeErrors = (title, errors) =>
  [title, ...errors.map(({ message }) => message.replace(/^/gm, '    '))].join('\n');

/** The failures of a file: of its tests, of the hooks of its suites, and of the file itself, such as a syntax error. */
const failuresOf = (file) =>
  [...file.children.allTests('failed'), ...file.children.allSuites(), file]
    .map((entity) => ({ name: entity.fullName, errors: entity.result?.().errors ?? entity.errors() }))
    .filter(({ errors }) => errors.length > 0)
    .map(({ name, errors }) =>
      describeErrors(name ? `${file.relativeModuleId}: ${name}` : file.relativeModuleId, errors),
    );

const countTests = (files, state) => files.reduce((sum, file) => sum + [...file.children.allTests(state)].length, 0);

/**
 * A reporter for Vitest. It ends the run if no test ends within the deadline, and writes the counts and the failures of the run
 * to the file `countsFile`.
 */
export function nodeReporter(countsFile) {
  const running = new Set();
  const late = [];
  let vitest;
  let timer;

  // The timeouts of the runner do not end a test that blocks its thread.
  function endRun() {
    late.push(`No test ended within ${deadline} s. These files did not end: ${[...running].join(', ')}`);
    console.error(late[0]);
    void vitest.cancelCurrentRun('test-failure');
    void vitest.cancelCurrentRun('test-failure'); // the second call kills the processes
  }

  return {
    onInit(context) {
      vitest = context;
    },
    onTestRunStart() {
      timer = setTimeout(endRun, deadline * 1000);
    },
    onTestModuleQueued({ relativeModuleId }) {
      running.add(relativeModuleId);
      timer.refresh();
    },
    onTestCaseResult() {
      timer.refresh();
    },
    onTestModuleEnd({ relativeModuleId }) {
      running.delete(relativeModuleId);
    },
    onTestRunEnd(files, unhandled) {
      clearTimeout(timer);
      const outside = unhandled.map((error) => describeErrors('outside of tests', [error]));
      const failures = [...late, ...files.flatMap(failuresOf), ...outside];
      const [passed, skipped] = ['passed', 'skipped'].map((state) => countTests(files, state));
      if (countsFile) writeFileSync(countsFile, JSON.stringify({ passed, failed: failures.length, skipped, failures }));
    },
  };
}
