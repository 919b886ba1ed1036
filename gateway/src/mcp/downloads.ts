import { ResourceNotFoundError, type ReadResourceResult } from '@modelcontextprotocol/server';
import { toBase64, type Download } from 'webmcp-forms/headless';
import { randomId } from './ask/secrets/secret-questions.js';

/** The client and session that a file belongs to. */
interface DownloadOwner {
  readonly owner: string;
  readonly rateLimitKey: string | undefined;
}

interface Kept extends DownloadOwner {
  readonly download: Download;
  readonly size: number;
  readonly expires: number;
}

const lifetime = 600_000;

const maxBytes = { total: 64_000_000, each: 16_000_000 };

/** The files that calls have returned, which clients read as resources. They are in the memory of this process. */
export class Downloads {
  /** The files by URI, oldest first. */
  readonly #kept = new Map<string, Kept>();

  /**
   * Stores a file for some time, and returns its URI. Removes the oldest files of the client if its limit is exceeded,
   * and the oldest of all files if the total limit is exceeded.
   */
  add(download: Download, { owner, rateLimitKey }: DownloadOwner): string {
    this.#removeExpired();
    const size = download.bytes.length + (download.text?.length ?? 0) * 2;
    const isOwn = (kept: Kept): boolean => kept.rateLimitKey === rateLimitKey;
    this.#makeRoom(size, maxBytes.each, isOwn);
    this.#makeRoom(size, maxBytes.total, () => true);
    const uri = `download:///${randomId()}/${encodeURIComponent(download.name)}`;
    this.#kept.set(uri, { download, owner, rateLimitKey, size, expires: Date.now() + lifetime });
    return uri;
  }

  /** @throws {ResourceNotFoundError} also for a file of another client or session */
  read(uri: string, owner: string): ReadResourceResult {
    this.#removeExpired();
    const kept = this.#kept.get(uri);
    if (kept?.owner !== owner) throw new ResourceNotFoundError(uri);
    const { mediaType: mimeType, bytes, text } = kept.download;
    return { contents: [{ uri, mimeType, ...(text === undefined ? { blob: toBase64(bytes) } : { text }) }] };
  }

  #removeExpired(): void {
    const now = Date.now();
    for (const [uri, { expires }] of this.#kept) {
      if (expires > now) break;
      this.#kept.delete(uri);
    }
  }

  #makeRoom(size: number, limit: number, isCounted: (kept: Kept) => boolean): void {
    const counted = [...this.#kept].filter(([, kept]) => isCounted(kept));
    let sum = counted.reduce((total, [, kept]) => total + kept.size, size);
    for (const [uri, kept] of counted) {
      if (sum <= limit) break;
      this.#kept.delete(uri);
      sum -= kept.size;
    }
  }
}
