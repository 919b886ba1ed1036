// Starts `webmcp-gateway serve` as users do, and reads the process statistics of Linux.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the process has ended
  }
};

const list = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

function family(pid) {
  const children = list(`/proc/${pid}/task`).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).trim().split(' '),
  );
  return [pid, ...children.filter((child) => child !== '').map(Number)];
}

/**
 * The processor time of a process in milliseconds, with a resolution of 10.
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function processorTime(pid) {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * The time that the main thread of a process has waited for a processor, in milliseconds.
 * https://docs.kernel.org/scheduler/sched-stats.html
 */
const waitedForProcessor = (pid) => Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(' ')[1] ?? 0) / 1e6;

const kilobytes = (pid, name) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? 0);

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

/** @param bin - the program of the measured build */
export async function startGateway(bin, { cwd, name, args = [], env = {} }) {
  const log = join(cwd, `${name}.log`);
  const began = performance.now();
  const child = spawn(process.execPath, [bin, 'serve', 'webmcp.json', '--allow-private', '--port', '0', ...args], {
    cwd,
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
    env: { ...process.env, ...env },
  });
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  const lines = () =>
    read(log)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  let listening;
  while (!(listening = lines().find(({ msg }) => msg === 'listening'))) {
    if (child.exitCode !== null) throw new Error(`The gateway ended: ${read(log)}`);
    await wait(50);
  }
  return {
    url: listening.url,
    seconds: (performance.now() - began) / 1000,
    lines,
    processorTime: () => sum(family(child.pid).map(processorTime)),
    waitedForProcessor: () => waitedForProcessor(child.pid),
    megabytes: () => sum(family(child.pid).map((pid) => kilobytes(pid, 'VmRSS'))) / 1000,
    megabytesAtMost: () => sum(family(child.pid).map((pid) => kilobytes(pid, 'VmHWM'))) / 1000,
    /** Ends the process at once, also if it is busy or has ended. */
    async kill() {
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (isRunning && kill()) await once(child, 'exit');
      process.off('exit', kill);
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      process.off('exit', kill);
      return code;
    },
  };
}
