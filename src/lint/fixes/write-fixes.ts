import type { PageInput } from '../../site/pages/find-pages.js';
import { decodePage } from '../../site/pages/charset.js';
import { rewriteFile, writableFile } from '../../site/rewrite-file.js';
import { UsageError } from '../../site/usage-error.js';

interface PendingFix {
  readonly input: PageInput;
  readonly before: string;
  readonly after: string;
}

/**
 * Writes each file once, even if it has several paths. Writes nothing if a file is not writable.
 *
 * @returns the notices about symbolic links
 */
export async function writeFixes(fixes: readonly PendingFix[]): Promise<readonly string[]> {
  const byPath = new Map<string, PendingFix>();
  const notices: string[] = [];
  for (const fix of fixes) {
    const { path, notice } = await writableFile(fix.input, '--fix');
    const other = byPath.get(path);
    if (other && other.after !== fix.after)
      throw new UsageError(
        `Cannot fix ${other.input.file} and ${fix.input.file}: they are the same file, and the configuration fixes it in two ways. Name one of them.`,
      );
    byPath.set(path, fix);
    if (notice !== undefined) notices.push(notice);
  }
  for (const [path, { input, before, after }] of byPath)
    await rewriteFile(
      path,
      input.file,
      (bytes) => decodePage(bytes).text === before,
      () => after,
    );
  return notices;
}
