import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './ports.mjs';
import { miniBrowserPath, webkitDriverPath, xvfbPath } from './programs.mjs';

/** The timeout of the driver, in milliseconds. */
const patience = 300_000;

const quiet = {
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  LIBGL_ALWAYS_SOFTWARE: '1',
  WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
  NO_AT_BRIDGE: '1',
  GDK_BACKEND: 'x11',
};

const started = new Set();

// Uses its own process group, because killing only the driver would leave its browser running.
function startGroup(program, args, options) {
  const child = spawn(program, args, { ...options, detached: true });
  started.add(child);
  child.once('close', () => started.delete(child));
  const failed = once(child, 'close').then(([code]) => {
    throw new Error(`${program} ended with exit code ${code} before the tests did.`);
  });
  failed.catch(() => {});
  return { child, failed };
}

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

process.once('exit', () => started.forEach(endGroup));

/** Starts an X server that chooses a free display number, and resolves with the number. */
async function startDisplay() {
  const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'];
  const { child, failed } = startGroup(xvfbPath(), args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = await Promise.race([once(child.stdio[3], 'data'), failed]);
  return `:${String(number).trim()}`;
}

/** A WebDriver session of WebKitGTK's test browser. https://www.w3.org/TR/webdriver2/ */
export class WebKitDriver {
  #base = '';
  #session = '';

  async start() {
    await this.#open().catch(async (error) => {
      await this.stop();
      throw error;
    });
  }

  async #open() {
    const DISPLAY = process.env.DISPLAY || (await startDisplay());
    const port = await freePort();
    this.#base = `http://127.0.0.1:${port}`;
    const env = { ...process.env, ...quiet, DISPLAY };
    const { failed } = startGroup(webkitDriverPath(), [`--port=${port}`, '--host=127.0.0.1'], { env, stdio: 'ignore' });
    await Promise.race([this.#ready(), failed]);
    const options = { binary: miniBrowserPath(), args: ['--automation'] };
    const timeouts = { script: patience, pageLoad: patience };
    const capabilities = { alwaysMatch: { timeouts, 'webkitgtk:browserOptions': options } };
    this.#session = (await this.#call('POST', '/session', { capabilities })).sessionId;
  }

  async open(url) {
    await this.#call('POST', `/session/${this.#session}/url`, { url });
  }

  /**
   * Runs a function in the page, and resolves with its result, which must be JSON. The function may be asynchronous.
   */
  async evaluate(page) {
    const script = `const done = arguments[0];
      Promise.resolve().then(${page})
        .then((value) => done({ value }), (error) => done({ error: error + '\\n' + (error?.stack ?? '') }));`;
    const { value, error } = await this.#call('POST', `/session/${this.#session}/execute/async`, { script, args: [] });
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /**
   * Presses keys sequentially. The characters of one string are pressed together.
   * https://www.w3.org/TR/webdriver2/#keyboard-actions
   */
  async press(...keys) {
    const actions = keys.flatMap((key) => {
      const down = [...key].map((value) => ({ type: 'keyDown', value }));
      return [...down, ...down.map(({ value }) => ({ type: 'keyUp', value })).reverse()];
    });
    const body = { actions: [{ type: 'key', id: 'keyboard', actions }] };
    await this.#call('POST', `/session/${this.#session}/actions`, body);
  }

  /** Moves the pointer over positions of the viewport, and clicks at the last one. https://www.w3.org/TR/webdriver2/#pointer-actions */
  async click(...points) {
    const moves = points.map(([x, y]) => ({
      ...{ type: 'pointerMove', duration: 0, origin: 'viewport', x: Math.round(x), y: Math.round(y) },
    }));
    const actions = [...moves, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
    const body = { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] };
    await this.#call('POST', `/session/${this.#session}/actions`, body);
  }

  async screenshot() {
    return Buffer.from(await this.#call('GET', `/session/${this.#session}/screenshot`), 'base64');
  }

  async stop() {
    if (this.#session) await this.#call('DELETE', `/session/${this.#session}`).catch(() => {});
    const ended = [...started].map((child) => once(child, 'close'));
    for (const child of started) endGroup(child);
    await Promise.all(ended);
  }

  async #ready(triesLeft = 100) {
    try {
      await this.#call('GET', '/status');
    } catch (error) {
      if (triesLeft === 0) throw error;
      await wait(100);
      await this.#ready(triesLeft - 1);
    }
  }

  async #call(method, path, body) {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(patience);
    const response = await fetch(this.#base + path, { method, headers, body: body && JSON.stringify(body), signal });
    const { value } = await response.json();
    if (response.ok) return value;
    throw new Error(`WebKitWebDriver rejected ${method} ${path}: ${value?.error}: ${value?.message}`);
  }
}
