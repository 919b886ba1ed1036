import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { atEnd } from './at-end.js';

/** The path of a program or script that `test/support/build-sources.ts` has built. */
export const builtPath = (name: string): string => join(process.env['BUILT_SOURCES'] ?? '', `${name}.js`);

const ends = new Set<() => void>();

process.once('exit', () => ends.forEach((end) => end()));

function signal(group: number, name: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-group, name);
  } catch {
    return false; // the group is empty
  }
}

/**
 * Kills a process after the test, suite or file that calls this, passed or failed, and when this process exits. A process
 * that was started with `detached` is killed with its group.
 */
export function endWithTest<Child extends ChildProcess>(child: Child): Child {
  const { pid } = child;
  if (pid === undefined) return child; // it did not start
  const end = signal(pid, 0) ? () => void signal(pid, 'SIGKILL') : () => void child.kill('SIGKILL');
  const ended = once(child, 'exit');
  ends.add(end);
  atEnd(async () => {
    end();
    await ended;
    ends.delete(end);
  });
  return child;
}
