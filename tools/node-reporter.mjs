import { relative } from 'node:path';
import { root } from './run.mjs';

// A suite fails with each test in it that does, and so does its file: the innermost says enough.
const isOwnFailure = ({ details }) => details.error?.failureType !== 'subtestsFailed';

const reasonOf = ({ details: { error } }) => String(error?.cause?.message ?? error?.message).replace(/^/gm, '    ');

/**
 * A reporter of node:test: one JSON object, `counts` by node:test's own keys (pass, fail, cancelled, skipped, todo) and
 * the `failures`: file, name and message.
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
