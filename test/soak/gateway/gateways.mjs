import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';
import { freePort } from '../../../tools/ports.mjs';

const reportMemory = new URL('report-memory.mjs', import.meta.url).href;

/** A `webmcp-gateway serve` that can be killed and restarted on the same port. */
export class Gateway {
  #child;
  #options;
  #starts = 0;
  /** The periods in which the process is not running, as [start, end]. */
  #downs = [];

  static async start(options) {
    const gateway = new Gateway();
    gateway.#options = options;
    gateway.port = await freePort();
    gateway.headers = options.headers;
    gateway.url = `http://127.0.0.1:${gateway.port}/`;
    process.once('exit', () => gateway.#child?.kill('SIGKILL'));
    gateway.dispatcher = new Agent({ connections: null, pipelining: 1, connectTimeout: 10_000 });
    await gateway.start();
    return gateway;
  }

  async start() {
    const { bin, cwd, name, args, env } = this.#options;
    this.log = join(cwd, `${name}-${this.#starts++}.log`);
    const argv = ['--expose-gc', '--import', reportMemory, bin, 'serve', 'webmcp.json', '--port', String(this.port)];
    const stdio = ['ignore', 'ignore', openSync(this.log, 'w'), 'ipc'];
    this.#child = spawn(process.execPath, [...argv, '--allow-private', ...args], {
      cwd,
      stdio,
      env: { ...process.env, ...env },
    });
    this.#child.on('error', () => undefined);
    const child = this.#child;
    while (!(await this.#isListening())) {
      if (child.exitCode !== null) throw new Error(`The gateway ended: ${readFileSync(this.log, 'utf8')}`);
      await wait(30);
    }
    const down = this.#downs.at(-1);
    if (down) down[1] = performance.now();
  }

  #isListening() {
    return fetch(`${this.url}healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async end(signal) {
    const exited = once(this.#child, 'exit');
    this.#downs.push([performance.now(), Infinity]);
    this.#child.kill(signal);
    const [code, killedBy] = await exited;
    return code ?? killedBy;
  }

  /** Whether the process was not running at some time since `began`, with a margin for connections that are closing. */
  wasDown(began) {
    return this.#downs.some(([, end]) => end + 300 >= began);
  }

  /** The memory after a garbage collection; undefined if the process ends meanwhile. */
  async memory() {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null || !child.connected) return undefined;
    const ended = new AbortController();
    const { signal } = ended;
    const answer = Promise.race([
      once(child, 'message', { signal }).then(([{ memory }]) => memory),
      once(child, 'exit', { signal }).then(() => undefined),
    ]);
    child.send('measure', () => undefined);
    return await answer.finally(() => ended.abort());
  }

  lines() {
    return readFileSync(this.log, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line));
  }
}
