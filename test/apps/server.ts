import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atEnd } from '../support/at-end.js';
import { endWithTest } from '../support/processes.js';

/** A folder that is removed after the tests of the file. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export interface ServerOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the server responds. It is called until it returns true. */
  readonly isReady: () => Promise<boolean>;
}

export interface Server {
  /** The standard output and standard error of the server. */
  readonly log: () => string;
}

/** Whether a URL responds, with any status. */
export const responds = (url: string): Promise<boolean> =>
  fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );

/** Starts a server with its own process group. It is killed after the tests of the file. */
export async function startServer(program: string, args: readonly string[], options: ServerOptions): Promise<Server> {
  const { cwd, env, isReady } = options;
  const child = endWithTest(
    spawn(program, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += String(chunk)));
  for (let turn = 0; turn < 600; turn++) {
    if (child.exitCode !== null) break;
    if (await isReady()) return { log: () => log };
    await wait(100);
  }
  throw new Error(`${program} ${args.join(' ')} does not respond. Its output: ${log}`);
}
