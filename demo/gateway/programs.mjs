import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Starts a program that ends with this process. Resolves with the part of its output that matches `ready`. */
export function startProgram(program, args, { ready, onLine = () => undefined, env = {} }) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  process.once('exit', () => child.kill());
  return new Promise((resolve, reject) => {
    const lines = [];
    const read = (line) => {
      const match = ready.exec(line);
      if (match) resolve(match[0]);
      lines.push(line);
      onLine(line);
    };
    for (const output of [child.stdout, child.stderr]) createInterface({ input: output }).on('line', read);
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`${program} ended with ${code}: ${lines.join('\n')}`)));
  });
}
