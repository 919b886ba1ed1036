import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, isListening } from '../../../tools/ports.mjs';

/** Starts a Redis on loopback that writes each change to a file. */
export async function startRedis(folder) {
  const port = await freePort();
  let child;
  const start = async () => {
    const files = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
    child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', ...files], { stdio: 'ignore' });
    await once(child, 'spawn');
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error('redis-server exited');
      await wait(20);
    }
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  process.on('exit', () => child?.kill('SIGKILL'));
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  };
}
