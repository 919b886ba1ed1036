import { resolve } from 'node:path';
import { rootOf } from '../../init/detect-site.js';
import { undoInit } from '../../init/record.js';
import { countOf } from '../../site/printable.js';
import type { CliContext } from '../context.js';
import { streamSink } from '../output.js';
import type { InitFlags } from './init.js';

/** Undoes the last run of `init`, or lists its files with `--dry-run`. */
export async function undo(name: string, { dryRun }: InitFlags, { cwd, stdout }: CliContext): Promise<number> {
  const root = rootOf(resolve(cwd, name), cwd);
  const changes = await undoInit(root, dryRun === true);
  const lines = changes.map(({ file, after }) => `${after === undefined ? 'delete ' : 'restore'}  ${file}\n`);
  const summary = `${countOf(changes.length, 'file')} ${dryRun ? 'to restore or delete' : 'restored or deleted'}.\n`;
  await streamSink(stdout)([...lines, summary]);
  return 0;
}
