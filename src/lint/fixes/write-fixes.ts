import { readFile, realpath, stat } from 'node:fs/promises';
import { fileSink } from '../../site/output.js';
import type { PageInput } from '../../site/pages/find-pages.js';
import { decodeUtf8, throwReadError } from '../../site/pages/read-text.js';
import { UsageError } from '../../site/usage-error.js';

interface PendingFix {
  readonly input: PageInput;
  readonly before: string;
  readonly after: string;
}

/** Writes each file once, even if it has several paths. Writes nothing if a file is not writable. */
export async function writeFixes(fixes: readonly PendingFix[]): Promise<void> {
  const byPath = new Map<string, PendingFix>();
  for (const fix of fixes) {
    const path = await resolveFile(fix.input);
    const other = byPath.get(path);
    if (other && other.after !== fix.after)
      throw new UsageError(
        `Cannot fix ${other.input.file} and ${fix.input.file}: they are the same file, and the configuration fixes it in two ways. Name one of them.`,
      );
    byPath.set(path, fix);
  }
  for (const [path, fix] of byPath) await writeFix(path, fix);
}

async function resolveFile({ at, file }: PageInput): Promise<string> {
  if (at === null) throw new UsageError('Cannot fix <stdin>. Name a file.');
  const found = await stat(at).catch((cause: unknown) => throwReadError(file, cause));
  if (!found.isFile()) throw new UsageError(`Cannot fix ${file}: it is not a regular file. Omit --fix for it.`);
  return realpath(at);
}

/** Preserves the byte order mark. */
async function writeFix(path: string, { input: { file }, before, after }: PendingFix): Promise<void> {
  const bytes = await readFile(path).catch((cause: unknown) => throwReadError(file, cause));
  if (decodeUtf8(bytes, file) !== before)
    throw new UsageError(`Cannot fix ${file}: another program changed it. Run the command again.`);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  await fileSink(path, file)([hasMark ? `\uFEFF${after}` : after]);
}
