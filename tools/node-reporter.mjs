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
  for await (const { type, data } of events) {
    if (type === 'test:fail' && !data.todo && isOwnFailure(data))
      failures.push(`${relative(root, data.file ?? root)}: ${data.name}\n${reasonOf(data)}`);
    const [, key, count] = (type === 'test:diagnostic' && /^(\w+) (\d+)$/.exec(data.message)) || [];
    if (key) counts[key] = Number(count);
  }
  yield JSON.stringify({ counts, failures });
}
