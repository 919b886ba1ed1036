import type { LiveManifest } from '../../manifest.js';
import type { Settings } from '../../settings.js';
import { storeRunner } from '../../stores/store.js';
import { webtoolFor } from '../../webtools/webtool.js';

/** The result is cached for this time, because the endpoint is public. */
const maxAgeMs = 1000;

type ReadinessProblem = 'sessions-unavailable' | 'releases-unavailable' | 'manifest-unavailable';

/** Whether the gateway can run calls: its stores respond, and its manifest is loaded. */
export class Readiness {
  readonly #live: LiveManifest;
  readonly #settings: Settings;
  #answer: Promise<ReadinessProblem | undefined> | undefined;
  #expires = 0;

  constructor(live: LiveManifest, settings: Settings) {
    this.#live = live;
    this.#settings = settings;
  }

  problem(): Promise<ReadinessProblem | undefined> {
    if (!this.#answer || Date.now() > this.#expires) {
      this.#answer = this.#check().finally(() => (this.#expires = Date.now() + maxAgeMs));
      this.#expires = Infinity;
    }
    return this.#answer;
  }

  async #check(): Promise<ReadinessProblem | undefined> {
    const { sessions, versions } = this.#settings;
    const run = storeRunner('releases', {});
    const checks: readonly (readonly [ReadinessProblem, () => Promise<unknown>])[] = [
      ['sessions-unavailable', () => sessions.open('readiness')],
      ['releases-unavailable', async () => versions && (await run(() => versions.getItemRaw('readiness')))],
      ['manifest-unavailable', () => webtoolFor(this.#live.current, this.#settings)],
    ];
    const outcomes = await Promise.all(
      checks.map(async ([problem, check]) => ((await succeeds(check)) ? undefined : problem)),
    );
    return outcomes.find((problem) => problem !== undefined);
  }
}

const succeeds = (check: () => Promise<unknown>): Promise<boolean> =>
  check().then(
    () => true,
    () => false,
  );
