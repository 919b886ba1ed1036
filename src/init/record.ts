import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { commonEnds } from '../annotate/report/diff.js';
import { isRecord, parseJson } from '../json.js';
import { generator } from '../site/generator.js';
import { UsageError } from '../site/usage-error.js';
import { applyChanges, checkChanges, hashOf, readIfExists, removeFolders, type Change } from './changes.js';

/** The file in the folder of the project that `--undo` reads. */
export const recordFile = '.webmcp-forms-init.json';

/** A change, without the content that is still in the changed file. */
interface RecordedChange {
  readonly file: string;
  /** The SHA-256 of the changed file. */
  readonly after: string;
  /** The SHA-256 of the original file; absent for a file that was created. */
  readonly before?: string;
  /** The bytes `start` to `end` of the changed file replaced the original bytes `removed`, which are stored in Base64. */
  readonly start: number;
  readonly end: number;
  readonly removed: string;
}

interface Run {
  readonly generator: string;
  readonly folders: readonly string[];
  readonly files: readonly RecordedChange[];
}

function recordedChange({ file, before, after = Buffer.alloc(0) }: Change): RecordedChange {
  const source = before ?? Buffer.alloc(0);
  const { prefix, suffix } = commonEnds(source, after);
  return {
    file,
    after: hashOf(after),
    ...(before && { before: hashOf(before) }),
    start: prefix,
    end: after.length - suffix,
    removed: source.subarray(prefix, source.length - suffix).toString('base64'),
  };
}

/** The change of the record file, from which `--undo` can undo the other changes. */
export async function recordOf(root: string, changes: readonly Change[], folders: readonly string[]): Promise<Change> {
  const { before, runs } = await readRecord(root);
  const run: Run = { generator, folders, files: changes.map(recordedChange) };
  return { file: recordFile, before, after: textOf([...runs, run]) };
}

const textOf = (runs: readonly Run[]): Buffer => Buffer.from(`${JSON.stringify({ version: 1, runs }, null, 2)}\n`);

interface StoredRecord {
  readonly before: Buffer | undefined;
  readonly runs: readonly Run[];
}

async function readRecord(root: string): Promise<StoredRecord> {
  const before = await readIfExists(join(root, recordFile));
  if (before === undefined) return { before, runs: [] };
  const value = parseJson(before.toString());
  if (isRecord(value) && value.version === 1 && Array.isArray(value.runs) && value.runs.every(isRun))
    return { before, runs: value.runs };
  throw new UsageError(`${recordFile} is not a record of init. Move it away.`);
}

const isRun = (value: unknown): value is Run =>
  isRecord(value) &&
  typeof value.generator === 'string' &&
  Array.isArray(value.folders) &&
  value.folders.every(isPath) &&
  Array.isArray(value.files) &&
  value.files.every(isRecordedChange);

const isRecordedChange = (value: unknown): value is RecordedChange =>
  isRecord(value) &&
  isPath(value.file) &&
  typeof value.after === 'string' &&
  ['string', 'undefined'].includes(typeof value.before) &&
  Number.isSafeInteger(value.start) &&
  Number.isSafeInteger(value.end) &&
  typeof value.removed === 'string';

/** Whether a value is a relative path that stays in its folder. */
const isPath = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  !/[\\\0:]/.test(value) &&
  posix.normalize(value) === value &&
  !/^(?:\/|\.\.?(?:\/|$))/.test(value);

/**
 * Undoes the changes of the last run.
 *
 * @param isDry - whether nothing is written
 * @returns the restored and the deleted files
 * @throws {UsageError} if no run is recorded, or a file has changed since the run
 */
export async function undoInit(root: string, isDry: boolean): Promise<readonly Change[]> {
  const { before, runs } = await readRecord(root);
  const run = runs.at(-1);
  if (!run)
    throw new UsageError(
      `${recordFile} does not exist, so nothing can be undone. Name the folder that was given to init.`,
    );
  const changes: Change[] = [];
  const conflicts: string[] = [];
  for (const recorded of run.files) {
    const change = await inverseOf(root, recorded);
    if (change === 'conflict') conflicts.push(recorded.file);
    else if (change) changes.push(change);
  }
  if (conflicts.length > 0)
    throw new UsageError(
      `Nothing was undone, because these files have changed since: ${conflicts.join(', ')}. Restore them by hand, then delete ${recordFile}.`,
    );
  const others = runs.slice(0, -1);
  const record: Change = { file: recordFile, before, after: others.length > 0 ? textOf(others) : undefined };
  const checked = await checkChanges(root, [...changes, record]);
  if (isDry) return changes;
  await applyChanges(checked);
  await removeFolders(root, run.folders);
  return changes;
}

/** Returns undefined for a file that already has its original content. */
async function inverseOf(root: string, recorded: RecordedChange): Promise<Change | 'conflict' | undefined> {
  const { file, start, end, removed } = recorded;
  const now = await readFile(join(root, file)).catch(() => undefined);
  if (now === undefined) return recorded.before === undefined ? undefined : 'conflict';
  const hash = hashOf(now);
  if (hash === recorded.before) return undefined;
  if (hash !== recorded.after) return 'conflict';
  if (recorded.before === undefined) return { file, before: now, after: undefined };
  const original = Buffer.concat([now.subarray(0, start), Buffer.from(removed, 'base64'), now.subarray(end)]);
  return hashOf(original) === recorded.before ? { file, before: now, after: original } : 'conflict';
}
