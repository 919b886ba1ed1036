import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { startProgram } from './programs.mjs';

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return String(port);
}

/** Returns the Redis URL in the variable REDIS, or starts a temporary Redis. */
export async function openRedis() {
  if (process.env.REDIS) return process.env.REDIS;
  if (spawnSync('redis-server', ['--version']).error) {
    console.error(
      'redis-server is not installed. Run apt-get install redis-server, or set REDIS to the URL of a Redis.',
    );
    process.exit(1);
  }
  const port = await freePort();
  const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  await startProgram('redis-server', args, { ready: /Ready to accept connections/ });
  return `redis://127.0.0.1:${port}`;
}
