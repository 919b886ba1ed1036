import { readFile } from 'node:fs/promises';
import { formatPatch, structuredPatch } from 'diff';
import { decodePage, type DecodedText } from '../../site/pages/charset.js';
import { throwReadError } from '../../site/pages/read-text.js';
import { oneLine, type Paint } from '../../site/printable.js';
import { changedProblem } from '../../site/rewrite-file.js';
import { UsageError } from '../../site/usage-error.js';
import { hashOf } from '../files/annotate-files.js';
import { applyInsertions, type Insertion } from '../tags/insertion.js';
import type { FilePlan } from './choose-forms.js';

/** Where a diff goes. A program that reads a pipe may show it, as `less -R` and logs do. */
export type DiffTarget = 'file' | 'pipe' | 'terminal';

/**
 * The changes of a file as a unified diff, which `git apply` and `patch -p1` read.
 *
 * @returns the reason, with the way out, if the diff would not apply: without its control characters in a pipe, or in UTF-8 to a
 * file in another encoding
 */
export async function diffOf({ file, chosen }: FilePlan, target: DiffTarget, paint: Paint): Promise<Diff> {
  if (chosen.length === 0) return { text: '' };
  const { input } = file;
  const { text: source, encoding } =
    file.source === undefined
      ? await readSource(input.at ?? '', input.file, file.hash)
      : { text: file.source, encoding: 'utf-8' };
  const patch = patchOf(
    oneLine(input.file.replaceAll('\\', '/')),
    source,
    chosen.flatMap(({ insertions }) => insertions),
  );
  if (target === 'terminal')
    return {
      text: patch
        .split('\n')
        .map((line) => forTerminal(line, paint))
        .join('\n'),
    };
  if (encoding !== 'utf-8' && /[^\0-\x7f]/.test(patch))
    return { reason: `a diff is UTF-8, but the encoding of the file is ${encoding}. Add --write.` };
  return target === 'pipe' && unprintable.test(patch)
    ? { reason: 'it has control characters. Write it to a file with --out, or add --write.' }
    : { text: patch };
}

type Diff = { readonly text: string } | { readonly reason: string };

/** Control characters but for tabs and line ends, and those that reorder text. */
const unprintable = /[^\P{Cc}\t\r\n]|\r(?!\n)|[\u202a-\u202e\u2066-\u2069]/u;

const contextLines = 3;

/** Compares only the lines around the insertions, because pages can be long. */
function patchOf(name: string, source: string, insertions: readonly Insertion[]): string {
  const offsets = insertions.map(({ at }) => at);
  const start = lineStart(source, Math.min(...offsets), contextLines);
  const end = lineEnd(source, Math.max(...offsets), contextLines);
  const before = source.slice(start, end);
  const moved = insertions.map(({ at, text }) => ({ at: at - start, text }));
  const patch = structuredPatch(
    `a/${name}`,
    `b/${name}`,
    before,
    applyInsertions(before, moved),
    undefined,
    undefined,
    {
      context: contextLines,
    },
  );
  const lines = countLines(source, start);
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + lines,
    newStart: hunk.newStart + lines,
  }));
  return formatPatch({ ...patch, hunks }, { includeIndex: false, includeUnderline: false, includeFileHeaders: true });
}

/** The start of the line that is `count` lines before that of an offset. */
function lineStart(source: string, offset: number, count: number): number {
  let at = source.lastIndexOf('\n', offset - 1);
  for (let line = 0; line < count && at > 0; line++) at = source.lastIndexOf('\n', at - 1);
  return at + 1;
}

function lineEnd(source: string, offset: number, count: number): number {
  let at = source.indexOf('\n', offset);
  for (let line = 0; line < count && at >= 0; line++) at = source.indexOf('\n', at + 1);
  return at < 0 ? source.length : at + 1;
}

function countLines(source: string, end: number): number {
  let count = 0;
  for (let at = source.indexOf('\n'); at >= 0 && at < end; at = source.indexOf('\n', at + 1)) count++;
  return count;
}

async function readSource(at: string, file: string, hash: string): Promise<DecodedText> {
  const bytes = await readFile(at).catch((cause: unknown) => throwReadError(file, cause));
  if (hashOf(bytes) !== hash) throw new UsageError(`Cannot show the changes of ${file}: ${changedProblem}`);
  return decodePage(bytes);
}

/** Control characters of a page must not reach a terminal. */
function forTerminal(line: string, paint: Paint): string {
  const text = line.replace(/[^\P{C}\t]/gu, ' ');
  if (line.startsWith('+')) return paint('green', text);
  return line.startsWith('-') ? paint('red', text) : text;
}
