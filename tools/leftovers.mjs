import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
  } catch {
    return []; // the process has ended or belongs to another user
  }
}

/** The IDs of the other processes whose TMPDIR is `folder`. Empty on systems without /proc. */
function processesIn(folder) {
  const pids = existsSync('/proc/self/environ') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.filter((pid) => Number(pid) !== process.pid && read(pid, 'environ').includes(`TMPDIR=${folder}`));
}

function kill(pid) {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

/**
 * Kills the remaining processes of the steps of `npm test`, in any process group, and returns their command lines.
 * Processes that are exiting have `timeoutMs` milliseconds to finish.
 */
export async function killLeftovers(folder, timeoutMs = 5000) {
  const end = Date.now() + timeoutMs;
  while (processesIn(folder).length > 0 && Date.now() < end) await wait(100);
  const left = processesIn(folder).map((pid) => ({ pid, command: read(pid, 'cmdline').join(' ').trim() }));
  for (const { pid } of left) kill(pid);
  return left.map(({ pid, command }) => `${pid} ${command}`);
}
