import { readFile, realpath, stat } from 'node:fs/promises';
import type { PageInput } from '../../site/pages/find-pages.js';
import { fileSink } from '../../site/output.js';
import { cannotRead, decodeUtf8 } from '../../site/pages/read-text.js';
import { UsageError } from '../../site/usage-error.js';

/** A page whose text is to be another. */
export interface PendingFix {
  readonly input: PageInput;
  /** The text that was linted. */
  readonly before: string;
  readonly after: string;
}

/** Writes the new texts of pages, each file once whatever its names, when all of them can be written. */
export async function writeFixes(fixes: readonly PendingFix[]): Promise<void> {
  const byFile = new Map<string, PendingFix>();
  for (const fix of fixes) {
    const at = await placeOf(fix.input);
    const other = byFile.get(at);
    if (other && other.after !== fix.after) throw twoTexts(other, fix);
    byFile.set(at, fix);
  }
  for (const [at, fix] of byFile) await writeFix(at, fix);
}

const twoTexts = ({ input: one }: PendingFix, { input: other }: PendingFix): UsageError =>
  new UsageError(
    `cannot fix ${one.file} and ${other.file}: they are one file, and the configuration fixes it in two ways: name one of them`,
  );

async function placeOf({ at, file }: PageInput): Promise<string> {
  if (at === null) throw new UsageError('cannot fix <stdin>: --fix changes files: name one');
  const found = await stat(at).catch((cause: unknown) => cannotRead(file, cause));
  if (!found.isFile()) throw new UsageError(`cannot fix ${file}: it is not a regular file: leave --fix away for it`);
  return realpath(at);
}

/** Writes a page's new text, at once and whole, with the byte order mark that it had. */
async function writeFix(at: string, { input: { file }, before, after }: PendingFix): Promise<void> {
  const bytes = await readFile(at).catch((cause: unknown) => cannotRead(file, cause));
  if (decodeUtf8(bytes, file) !== before)
    throw new UsageError(`cannot fix ${file}: something else changed it meanwhile: run the command again`);
  await fileSink(at, file)([hasMark(bytes) ? `\uFEFF${after}` : after]);
}

const hasMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
