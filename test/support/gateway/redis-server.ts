import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { atEnd } from '../at-end.js';
import { freePort, isListening } from '../../../tools/ports.mjs';
import { skipWithout } from '../../../tools/programs.mjs';
import { endWithTest } from '../processes.js';
import { until } from '../until.js';

/** The `skip` option of the tests with a Redis. */
export const skip = skipWithout('redis');

/** A Redis on loopback with a file, removed after the test. */
export class RedisServer {
  readonly #folder: string;
  readonly #options: readonly string[];
  readonly port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, options: readonly string[]) {
    [this.#folder, this.port, this.#options] = [folder, port, options];
  }

  static async start(...options: readonly string[]): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), 'webmcp-forms-redis-'));
    const server = new RedisServer(folder, await freePort(), options);
    atEnd(async () => {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    });
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the server, or restarts it with the same items. */
  async start(): Promise<void> {
    const files = ['--dir', this.#folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'no'];
    const address = ['--port', String(this.port), '--bind', '127.0.0.1'];
    const child = endWithTest(spawn('redis-server', [...address, ...files, ...this.#options], { stdio: 'ignore' }));
    this.#process = child;
    await once(child, 'spawn');
    await until(() => {
      assert.equal(child.exitCode ?? child.signalCode, null, 'redis-server exited');
      return isListening(this.port);
    });
  }

  /** Kills the server, as a crash does. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Suspends the server: it accepts connections and does not respond. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }
}
