import type { ManifestTool } from '../site/manifest/manifest.js';
import { decodePage } from '../site/pages/charset.js';
import type { PageInput } from '../site/pages/find-pages.js';
import { rewriteFile, writableFile } from '../site/rewrite-file.js';
import { UsageError } from '../site/usage-error.js';
import type { Finding } from './finding.js';
import type { Fix } from './rules/rule.js';

export type FixedFinding = Finding & { readonly fix: Fix };

interface FixedText {
  readonly text: string;
  readonly fixed: readonly FixedFinding[];
}

/** Applies the fixes that do not overlap and do not change a tool. */
export function applyFixes(
  text: string,
  findings: readonly Finding[],
  readTools: (text: string) => readonly ManifestTool[],
): FixedText {
  const fixable = findings
    .filter((finding): finding is FixedFinding => finding.fix !== undefined)
    .sort((one, other) => one.fix.start - other.fix.start);
  if (fixable.length === 0) return { text, fixed: [] };
  const before = readTools(text).map(contentOf);
  const isSafe = ({ text: changed }: FixedText): boolean => {
    const after = new Map(readTools(changed).map(contentOf));
    return before.every(([name, content]) => after.get(name) === content);
  };
  const all = changeText(text, fixable);
  if (isSafe(all)) return all;
  const some = changeText(
    text,
    findSafe(fixable, (part) => isSafe(changeText(text, part)), Math.min(maxReadings, maxRead / text.length)),
  );
  return isSafe(some) ? some : { text, fixed: [] };
}

/** The maximum numbers of readings and of read characters, to limit the time for a page. Fixes beyond them are not applied. */
const maxReadings = 100;
const maxRead = 20_000_000;

/** Finds the safe fixes by bisection. */
function findSafe(
  fixable: readonly FixedFinding[],
  isSafe: (part: readonly FixedFinding[]) => boolean,
  limit: number,
): readonly FixedFinding[] {
  const parts = [fixable];
  let safe: readonly FixedFinding[] = [];
  let readings = 0;
  for (let part = parts.pop(); part && readings < limit; part = parts.pop()) {
    readings++;
    if (isSafe(part)) safe = [...part, ...safe];
    else if (part.length > 1) parts.push(part.slice(0, part.length / 2), part.slice(part.length / 2));
  }
  return safe;
}

/** A tool's name, and its other members without source locations. */
const contentOf = ({ name, title, description, inputSchema, annotations, form }: ManifestTool): [string, string] => [
  name,
  JSON.stringify([title, description, inputSchema, annotations]) + JSON.stringify(form, withoutLocations),
];

const withoutLocations = (key: string, value: unknown): unknown => (key === 'location' ? undefined : value);

function changeText(text: string, fixable: readonly FixedFinding[]): FixedText {
  const fixed: FixedFinding[] = [];
  const parts: string[] = [];
  let end = 0;
  for (const finding of fixable) {
    const replacement = finding.fix.start < end ? undefined : replace(text, finding.fix);
    if (!replacement) continue;
    parts.push(text.slice(end, replacement.start), replacement.text);
    end = finding.fix.end;
    fixed.push(finding);
  }
  return { text: [...parts, text.slice(end)].join(''), fixed };
}

function replace(text: string, { attribute, start, end, after }: Fix): { start: number; text: string } | undefined {
  const written = text.slice(start, end);
  if (!written.toLowerCase().startsWith(attribute)) return undefined;
  if (after !== null) return { start, text: `${written.slice(0, attribute.length)}="${after}"` };
  // Without a space, an unquoted value before the removed attribute would include the text after it.
  const isSeparated = /[\t\n\f\r >]/.test(text.charAt(end));
  return { start: isSeparated ? skipSpaceBackwards(text, start) : start, text: '' };
}

function skipSpaceBackwards(text: string, start: number): number {
  let at = start;
  while (/[\t\n\f\r ]/.test(text.charAt(at - 1))) at--;
  return at;
}

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
