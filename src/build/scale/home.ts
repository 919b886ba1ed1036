import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the build side, which keeps its shape when it is built: `dist/build/`, or `src/build/`. */
const home = fileURLToPath(import.meta.url.replace(/\/build\/(?!.*\/build\/).*$/, '/build/'));
const ending = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/** The module that a worker runs; from sources it needs a way to read TypeScript. */
export const workerFile = join(home, 'scale', ending === '.ts' ? 'worker-from-sources.mjs' : 'worker.js');

/** A text that changes with the code. */
export function codeHash(): string {
  const hash = createHash('sha256');
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(home, file)));
  return hash.digest('hex');
}
