import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './run.mjs';

function* testsOf(suite, path = []) {
  for (const test of suite.tests ?? []) yield { ...test, name: [...path, test.name].join(' > ') };
  for (const inner of suite.suites ?? []) yield* testsOf(inner, [...path, inner.name]);
}

const failedTests = (session) =>
  [...testsOf(session.testResults ?? {})].filter((test) => !test.passed && !test.skipped);

// A file that does not load or times out has errors but no failed tests.
const didNotRun = (session) => session.errors.length > 0 || (!session.passed && failedTests(session).length === 0);

const whatHappened = ({ testResults }) => (testResults ? 'an error outside of its tests' : 'the file did not run');

function countSession(session) {
  const tests = [...testsOf(session.testResults ?? {})];
  return {
    passed: tests.filter((test) => test.passed).length,
    failed: failedTests(session).length + Number(didNotRun(session)),
    skipped: tests.filter((test) => test.skipped).length,
  };
}

function* namesOfFailures(session) {
  const file = relative(root, session.testFile);
  for (const { name, error } of failedTests(session)) yield `${file}: ${name}\n${describeError(error ?? {})}`;
  if (didNotRun(session)) yield `${file}: ${whatHappened(session)}`;
}

function countEngines(sessions) {
  const engines = new Map();
  for (const session of sessions) {
    const sum = engines.get(session.browser.name) ?? { passed: 0, failed: 0, skipped: 0, failures: [] };
    for (const [key, count] of Object.entries(countSession(session))) sum[key] += count;
    sum.failures.push(...namesOfFailures(session));
    engines.set(session.browser.name, sum);
  }
  return [...engines].map(([name, counts]) => ({ name, ...counts }));
}

const indent = (text) => text.replace(/^/gm, '    ');

function describeError({ message = '', stack = '', expected, actual }) {
  const lines = stack.split('\n').filter((line) => line !== '' && !message.includes(line));
  const values = expected === undefined ? [] : [`expected: ${expected}`, `actual: ${actual}`];
  return indent([message, ...values, ...lines.slice(0, 4)].join('\n'));
}

function* describeFailures(session) {
  for (const { name, error } of failedTests(session)) yield [name, describeError(error ?? {})].join('\n');
  if (!didNotRun(session)) return;
  const missing = session.request404s.map((url) => `not found: ${url}`);
  const logs = session.logs.map((args) => args.map((arg) => arg?.message ?? arg).join(' '));
  yield [whatHappened(session), ...session.errors.map(describeError), ...[...missing, ...logs].map(indent)].join('\n');
}

/**
 * A reporter for @web/test-runner. It prints the result of each file, and writes the counts and failures of each engine to
 * the file `countsFile`.
 */
export function engineReporter(countsFile) {
  return {
    reportTestFileResults({ logger, sessionsForTestFile, testFile }) {
      const file = relative(root, testFile);
      for (const session of sessionsForTestFile) {
        const { passed, failed, skipped } = countSession(session);
        logger.log(
          `${failed ? '✖' : '✔'} ${session.browser.name.padEnd(15)} ${file}: ${passed} passed, ${failed} failed, ${skipped} skipped`,
        );
        for (const failure of describeFailures(session)) logger.log(`  ${failure}`);
      }
    },
    onTestRunFinished({ sessions }) {
      if (countsFile) writeFileSync(countsFile, JSON.stringify(countEngines(sessions)));
    },
  };
}
