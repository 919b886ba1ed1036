import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import { type Manifest, UsageError } from 'webmcp-forms/build';
import { canonical } from 'webmcp-forms/headless';
import { GatewayError } from '../../gateway-error.js';
import type { LiveManifest } from '../../live-manifest.js';
import type { Log } from '../../node/log.js';

export interface ReloadOptions {
  /** An absolute path. */
  readonly path: string;
  /** What the file was known by before it was read. */
  readonly stamp: string;
  readonly read: () => Promise<Manifest>;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** @default 500 */
  readonly interval?: number;
}

/** Reads a manifest again whenever its file changes or is replaced; the function that is returned does so at once. */
export function keepCurrent(live: LiveManifest, options: ReloadOptions): () => Promise<void> {
  let turn = Promise.resolve();
  const reload = (): Promise<void> => (turn = turn.then(() => update(live, options)));
  void watch(options, reload);
  return reload;
}

/** A file that is replaced keeps its path only, so that is what is looked at; once it is still, it is whole. */
async function watch(
  { path, stamp, signal, interval = 500 }: ReloadOptions,
  reload: () => Promise<void>,
): Promise<void> {
  let [read, before] = [stamp, stamp];
  try {
    for await (const _ of every(interval, undefined, { signal, ref: false })) {
      const now = await stampOf(path);
      if (now === before && now !== read) {
        read = now;
        await reload();
      }
      before = now;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** What a file is known by, as long as it is the same. */
export async function stampOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs].join(' ');
  } catch {
    return 'absent';
  }
}

async function update(live: LiveManifest, { path, read, log }: ReloadOptions): Promise<void> {
  try {
    const manifest = await read();
    if (canonical(manifest) !== canonical(live.current)) live.update(manifest);
  } catch (error) {
    log.error(whyNot(error, path), 'the manifest was not reloaded: the one before goes on');
  }
}

/** What a log has of an error; that of a text that is no JSON tells pieces of the text. */
function whyNot(error: unknown, path: string): object {
  if (!(error instanceof UsageError || error instanceof GatewayError)) return { error };
  const isNoJson = error.cause instanceof SyntaxError;
  return { reason: isNoJson ? `${basename(path)} is no tool manifest: it is not valid JSON` : error.message };
}
