import { isUtf8 } from 'node:buffer';
import { createReadStream, existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { diff } from '../../diff/diff.js';
import { changesSummary, changesText } from '../../diff/change.js';
import type { Manifest } from '../../site/manifest/manifest.js';
import { parseManifest } from '../../site/manifest/read-manifest.js';
import { maxManifestBytes } from '../../site/limits.js';
import { decodeUtf8, readBytes } from '../../site/pages/read-text.js';
import { UsageError } from '../../site/usage-error.js';
import { createPainter, writeMessage } from '../output.js';

/**
 * Whether a file contains the compiled manifest. If not, reports the differences. Ignores white space and the
 * generator's version.
 */
export async function isUpToDate(compiled: Manifest, file: string, path: string, stderr: Writable): Promise<boolean> {
  const advice = `Run the same command without --check and commit ${file}.`;
  const fail = async (problem: string, differences = ''): Promise<false> => {
    await writeMessage(stderr, `${differences}webmcp-forms: ${file} ${problem}\n`);
    return false;
  };
  if (!existsSync(path)) return fail(`is missing. ${advice}`);
  const stored = await manifestIn(path, file, advice);
  if (typeof stored === 'string') return fail(`is stale: ${stored}`);
  if (textOf(stored) === textOf(compiled)) return true;
  return fail(`is stale: ${reasonFor(stored, compiled)}. ${advice}`, differencesText(stored, compiled, stderr));
}

/** The manifest in a file, or the reason why it is invalid, such as a merge conflict. */
async function manifestIn(path: string, file: string, advice: string): Promise<Manifest | string> {
  const bytes = await readBytes(createReadStream(path), file, maxManifestBytes);
  if (!isUtf8(bytes)) return `it is not valid UTF-8. ${advice}`;
  try {
    return parseManifest(decodeUtf8(bytes, file), 'it', advice);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

const textOf = (manifest: Manifest): string => JSON.stringify({ ...manifest, generator: '' });

/** The maximum number of lines, about one screen. */
const maxLines = 40;

function differencesText(stored: Manifest, compiled: Manifest, stderr: Writable): string {
  if (stored.profile !== compiled.profile) return '';
  const lines = changesText(diff(stored, compiled), createPainter(stderr)).split(/(?<=\n)/);
  const more = lines.length > maxLines ? `  and ${lines.length - maxLines} more lines\n` : '';
  return lines.slice(0, maxLines).join('') + more;
}

function reasonFor(stored: Manifest, compiled: Manifest): string {
  if (stored.profile !== compiled.profile) return `its profile is ${stored.profile}, not ${compiled.profile}`;
  const changes = diff(stored, compiled);
  if (changes.length > 0) return changesSummary(changes);
  const names = (['name', 'description', 'version', 'sensitive'] as const).filter(
    (name) => stored[name] !== compiled[name],
  );
  return names.length > 0
    ? `${names.join(', ')} changed`
    : 'only locations in pages, diagnostics or other details of forms changed';
}
