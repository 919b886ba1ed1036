import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { diff } from '../../diff/diff.js';
import { changesSummary, changesText, painter } from '../../diff/print.js';
import type { Manifest } from '../../site/manifest/manifest.js';
import { parseManifest } from '../../site/manifest/read-manifest.js';
import { cannotRead, decodeUtf8 } from '../../site/pages/read-text.js';
import { tell } from '../../site/report.js';
import type { Surroundings } from '../../site/surroundings.js';
import { UsageError } from '../../site/usage-error.js';

/**
 * Whether the manifest in a file is the one that was compiled, and tells what differs if it is not.
 *
 * Which version of this package made the file is no difference, nor is white space.
 */
export async function isFresh(
  compiled: Manifest,
  { at, file }: { readonly at: string; readonly file: string },
  { stderr }: Pick<Surroundings, 'stderr'>,
): Promise<boolean> {
  const advice = `run the same command without --check and commit ${file}`;
  if (!existsSync(at)) {
    await tell(stderr, `webmcp-forms: ${file} is missing: ${advice}\n`);
    return false;
  }
  const kept = await manifestIn(at, file, advice);
  if (typeof kept === 'string') {
    await tell(stderr, `webmcp-forms: ${file} is stale: ${kept}\n`);
    return false;
  }
  if (textOf(kept) === textOf(compiled)) return true;
  await tell(
    stderr,
    `${differences(kept, compiled, stderr)}webmcp-forms: ${file} is stale: ${reason(kept, compiled)}: ${advice}\n`,
  );
  return false;
}

/** The manifest in a file that can be read, or why what is in it is none: it may be half merged, or something else. */
async function manifestIn(at: string, file: string, advice: string): Promise<Manifest | string> {
  const bytes = await readFile(at).catch((cause: unknown) => cannotRead(file, cause));
  if (!isUtf8(bytes)) return `it is not valid UTF-8: ${advice}`;
  try {
    return parseManifest(decodeUtf8(bytes, file), 'it', advice);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

const textOf = (manifest: Manifest): string => JSON.stringify({ ...manifest, generator: '' });

/** No more of the changes than fit on a screen. */
const shownLines = 40;

function differences(kept: Manifest, compiled: Manifest, stderr: Surroundings['stderr']): string {
  if (kept.profile !== compiled.profile) return '';
  const lines = changesText(diff(kept, compiled), painter(stderr)).split(/(?<=\n)/);
  const more = lines.length > shownLines ? `  and ${lines.length - shownLines} more lines\n` : '';
  return lines.slice(0, shownLines).join('') + more;
}

function reason(kept: Manifest, compiled: Manifest): string {
  if (kept.profile !== compiled.profile) return `it is of the profile ${kept.profile}, not ${compiled.profile}`;
  const changes = diff(kept, compiled);
  if (changes.length > 0) return changesSummary(changes);
  const words = (['name', 'description', 'version', 'sensitive'] as const).filter(
    (word) => kept[word] !== compiled[word],
  );
  return words.length > 0
    ? `another ${words.join(', ')}`
    : 'only places in the pages, diagnostics or other details of the forms';
}
