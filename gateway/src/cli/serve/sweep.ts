import type { Storage } from '../../stores/store.js';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../node/log.js';
import { removeOldSessions } from '../../stores/sessions.js';

const hour = 3_600_000;

/** Removes sessions that are over, now and once an hour. Several machines with one folder do not do so at once. */
export async function sweep(sessions: Storage, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const count = await removeOldSessions(sessions);
      log.debug({ count }, 'removed old sessions');
    } catch (error) {
      log.warn({ error }, 'cannot remove old sessions');
    }
    await wait(hour * (0.5 + Math.random()), undefined, { signal, ref: false }).catch(() => undefined);
  }
}
