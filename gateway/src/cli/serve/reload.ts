import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import { type Manifest, UsageError } from 'webmcp-forms/build';
import { canonicalJson } from 'webmcp-forms/headless';
import { GatewayError } from '../../gateway-error.js';
import type { LiveManifest } from '../../manifest.js';
import type { Log } from '../../node/log.js';

interface ReloadOptions {
  readonly path: string;
  readonly stamp: string;
  readonly read: () => Promise<Manifest>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Reloads a manifest when its file changes. The returned function reloads it immediately. */
export function watchManifest(live: LiveManifest, options: ReloadOptions): () => Promise<void> {
  let queue = Promise.resolve();
  const reload = (): Promise<void> => (queue = queue.then(() => update(live, options)));
  void poll(options, reload);
  return reload;
}

/**
 * Polls the path, because a watcher follows the inode, and a replaced file has another inode. Reads a changed file only when
 * two consecutive stamps match, so that writing has finished.
 */
async function poll({ path, stamp, signal }: ReloadOptions, reload: () => Promise<void>): Promise<void> {
  let [loaded, previous] = [stamp, stamp];
  try {
    for await (const _ of every(500, undefined, { signal, ref: false })) {
      const current = await fileStamp(path);
      if (current === previous && current !== loaded) {
        loaded = current;
        await reload();
      }
      previous = current;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

export async function fileStamp(path: string): Promise<string> {
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
    if (canonicalJson(manifest) !== canonicalJson(live.current)) live.update(manifest);
  } catch (error) {
    log.error(errorFields(error, path), 'the manifest was not reloaded: the previous one is still served');
  }
}

/** Omits the message of a JSON error, because it quotes the file. */
function errorFields(error: unknown, path: string): object {
  if (!(error instanceof UsageError || error instanceof GatewayError)) return { error };
  const isJsonError = error.cause instanceof SyntaxError;
  return { reason: isJsonError ? `${basename(path)} is not a tool manifest: it is not valid JSON` : error.message };
}
