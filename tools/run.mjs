import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const root = fileURLToPath(new URL('..', import.meta.url));

const running = new Set();

/** Runs a program in the root of the checkout, and resolves with its exit code. */
export function run(program, args, { env = {}, stdio = 'inherit', onOutput } = {}) {
  const child = spawn(program, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  running.add(child);
  child.stdout?.on('data', onOutput);
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`${program} did not start: ${cause.message}`, { cause })));
    child.once('close', (code) => resolve(code ?? 1));
  }).finally(() => running.delete(child));
}

export const runNode = (args, options) => run(process.execPath, args, options);

export async function outputOf(args) {
  const chunks = [];
  const onOutput = (chunk) => chunks.push(chunk);
  const code = await runNode(args, { stdio: ['ignore', 'pipe', 'inherit'], onOutput });
  if (code === 0) return Buffer.concat(chunks).toString();
  throw new Error(`\`node ${args.join(' ')}\` failed with exit code ${code}. See the errors above.`);
}

const shellCode = (signal) => 128 + constants.signals[signal];

// npm forwards signals to its shell, but not every shell forwards them to this process.
function onParentGone(end) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && end('SIGTERM'), 500).unref();
}

/**
 * On SIGINT, SIGTERM and SIGHUP, ends the processes of `run`, cleans up and exits. The default exit code is 128 plus the
 * number of the signal.
 */
export function endTogether(cleanUp, exitCode = shellCode) {
  let ending = false;
  const end = (signal) => {
    if (ending) return;
    ending = true;
    process.exitCode = exitCode(signal);
    const ended = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
    for (const child of running) child.kill(signal);
    void Promise.all(ended)
      .then(cleanUp)
      .finally(() => process.exit());
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  onParentGone(end);
}

/** Parses the command-line options. Errors contain `usage`. */
export function readOptions(options, usage) {
  try {
    return parseArgs({ options }).values;
  } catch (cause) {
    throw new Error(`${cause.message}\nUsage: ${usage}`, { cause });
  }
}

export function fail(error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
