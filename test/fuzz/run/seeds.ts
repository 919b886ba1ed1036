import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** A case that failed once. It runs at the start of each run. */
export interface Seed {
  readonly failure: string;
  readonly case: unknown;
}

const folderOf = (target: string): string => fileURLToPath(new URL(`../seeds/${target}/`, import.meta.url));

export function readSeeds(target: string): readonly Seed[] {
  const folder = folderOf(target);
  return filesIn(folder).map((file) => JSON.parse(readFileSync(folder + file, 'utf8')) as Seed);
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort();
  } catch {
    return []; // a target without seeds
  }
}

/** Writes a case, and returns the path of its file. */
export function writeSeed(target: string, kind: string, seed: Seed): string {
  const folder = folderOf(target);
  mkdirSync(folder, { recursive: true });
  const path = `${folder}${createHash('sha256').update(kind).digest('hex').slice(0, 12)}.json`;
  writeFileSync(path, `${JSON.stringify(seed, null, 2)}\n`);
  return path;
}
