import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package's modules: `src`, or `dist`, where the workers have the same paths. */
const root = fileURLToPath(import.meta.url.replace(/(\/(?:src|dist)\/)(?!.*\/(?:src|dist)\/).*$/, '$1'));
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

export type WorkerModule = 'site/jobs/worker' | 'lint/worker' | 'annotate/worker';

/** Worker threads of Node.js 20 do not inherit a loader for TypeScript. */
export const workerPath = (worker: WorkerModule): string =>
  join(root, extension === '.ts' ? 'site/jobs/worker-from-sources.mjs' : `${worker}.js`);

/** The folders of the compiler, in `src` and in `dist`. */
const hashed = /^(?:compiler|parse5|site|cli|node-chunks)[\\/]/;

export function codeHash(): string {
  const hash = createHash('sha256');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith(extension) && hashed.test(file),
  );
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
