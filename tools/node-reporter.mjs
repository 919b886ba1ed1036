import { relative } from 'node:path';
import { root } from './run.mjs';

// Suites and files fail with the tests inside them. Only the innermost failure is reported.
const isOwnFailure = ({ details }) => details.error?.failureType !== 'subtestsFailed';

const reasonOf = ({ details: { error } }) => String(error?.cause?.message ?? error?.message).replace(/^/gm, '    ');

/**
 * A reporter for node:test. It writes one JSON object: `counts` by node:test's keys (pass, fail, cancelled, skipped, todo)
 * and `failures`, texts with file, name and message.
 */
export default async function* nodeReporter(events) {
  const counts = {};
  const failures = [];
  const suites = new Map(); // by file: the names of the current test and of the suites around it
  for await (const { type, data } of events) {
    if (type === 'test:start')
      suites.set(data.file, [...(suites.get(data.file) ?? []).slice(0, data.nesting), data.name]);
    if (type === 'test:fail' && !data.todo && isOwnFailure(data)) {
      const title = [...(suites.get(data.file) ?? []).slice(0, data.nesting), data.name].join(' > ');
      failures.push(`${relative(root, data.file ?? root)}: ${title}\n${reasonOf(data)}`);
    }
    const [, key, count] = (type === 'test:diagnostic' && /^(\w+) (\d+)$/.exec(data.message)) || [];
    if (key) counts[key] = Number(count);
  }
  yield JSON.stringify({ counts, failures });
}
