import { readFile } from 'node:fs/promises';
import { formatPatch, structuredPatch } from 'diff';
import { decodePage, type DecodedText } from '../../site/pages/charset.js';
import { throwReadError } from '../../site/pages/read-text.js';
import { oneLine, type Paint } from '../../site/printable.js';
import { changedProblem } from '../../site/rewrite-file.js';
import { UsageError } from '../../site/usage-error.js';
import { hashOf } from '../files/annotate-files.js';
import { applyInsertions } from '../tags/insertion.js';
import type { FilePlan } from './choose-forms.js';

/** The destination of a diff. The reader of a pipe may pass control characters to a terminal, as `less -R` does. */
export type DiffTarget = 'file' | 'pipe' | 'terminal';

/** The changes of a file as a unified diff. */
export async function diffOf({ file, chosen }: FilePlan, target: DiffTarget, paint: Paint): Promise<Diff> {
  if (chosen.length === 0) return { text: '' };
  const { input } = file;
  const source =
    file.source === undefined
      ? await readSource(input.at ?? '', input.file, file.hash)
      : { text: file.source, encoding: 'utf-8' };
  const insertions = chosen.flatMap((form) => form.insertions);
  return textDiff({ file: input.file, source, changed: applyInsertions(source.text, insertions) }, target, paint);
}

interface ChangedText {
  readonly file: string;
  /** Undefined for a new file. */
  readonly source: DecodedText | undefined;
  readonly changed: string;
}

/**
 * A unified diff, which `git apply` and `patch -p1` read.
 *
 * @returns the reason and the solution if the diff would not apply, because its control characters are removed in a pipe,
 * or because the file has another encoding than UTF-8
 */
export function textDiff({ file, source, changed }: ChangedText, target: DiffTarget, paint: Paint): Diff {
  const patch = patchOf(oneLine(file.replaceAll('\\', '/')), source?.text, changed);
  if (target === 'terminal')
    return {
      text: patch
        .split('\n')
        .map((line) => forTerminal(line, paint))
        .join('\n'),
    };
  if (source && source.encoding !== 'utf-8' && /[^\0-\x7f]/.test(patch))
    return { reason: `a diff is UTF-8, but the encoding of the file is ${source.encoding}. Add --write.` };
  return target === 'pipe' && unprintable.test(patch)
    ? { reason: 'it has control characters. Write it to a file with --out, or add --write.' }
    : { text: patch };
}

type Diff = { readonly text: string } | { readonly reason: string };

/** Control characters except tabs and line ends, and characters that reorder text. */
const unprintable = /[^\P{Cc}\t\r\n]|\r(?!\n)|[\u202a-\u202e\u2066-\u2069]/u;

const contextLines = 3;

/** Compares only the lines around the changes, because pages can be long. */
function patchOf(name: string, source: string | undefined, changed: string): string {
  const { prefix, suffix } = commonEnds(source ?? '', changed);
  const start = lineStart(changed, prefix, contextLines);
  const end = changed.length - lineEnd(changed, changed.length - suffix, contextLines);
  const before = (source ?? '').slice(start, (source ?? '').length - end);
  const patch = structuredPatch(
    source === undefined ? '/dev/null' : `a/${name}`,
    `b/${name}`,
    before,
    changed.slice(start, changed.length - end),
    undefined,
    undefined,
    { context: contextLines },
  );
  const lines = countLines(changed, start);
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + lines,
    newStart: hunk.newStart + lines,
  }));
  return formatPatch({ ...patch, hunks }, { includeIndex: false, includeUnderline: false, includeFileHeaders: true });
}

/** The lengths of the longest common prefix and suffix, which do not overlap. */
export function commonEnds<Value extends string | Buffer>(
  one: Value,
  other: Value,
): { readonly prefix: number; readonly suffix: number } {
  const length = Math.min(one.length, other.length);
  let prefix = 0;
  while (prefix < length && one[prefix] === other[prefix]) prefix++;
  let suffix = 0;
  while (suffix < length - prefix && one[one.length - 1 - suffix] === other[other.length - 1 - suffix]) suffix++;
  return { prefix, suffix };
}

/** The start of the line that is `count` lines before the line of an offset. */
function lineStart(source: string, offset: number, count: number): number {
  let at = offset === 0 ? -1 : source.lastIndexOf('\n', offset - 1);
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

/** Replaces control characters by spaces, because a page could use them to control the terminal. */
function forTerminal(line: string, paint: Paint): string {
  const text = line.replace(/[^\P{C}\t]/gu, ' ');
  if (line.startsWith('+')) return paint('green', text);
  return line.startsWith('-') ? paint('red', text) : text;
}
