import type { LiveManifest } from '../../manifest.js';
import type { Settings } from '../../settings.js';
import { storeRunner } from '../../stores/store.js';
import { webtoolFor } from '../../webtools/webtool.js';

/** The lifetime of a cached result. Results are cached, because the endpoint is public. */
const maxAgeMs = 1000;

type ReadinessProblem = 'sessions-unavailable' | 'releases-unavailable' | 'manifest-unavailable';

/** Returns a function that checks whether the gateway can run calls: its stores respond, and its manifest is loaded. */
export function readinessOf(live: LiveManifest, settings: Settings): () => Promise<ReadinessProblem | undefined> {
  const { sessions, versions } = settings;
  const run = storeRunner('releases', {});
  const problems = (): readonly Promise<ReadinessProblem | undefined>[] => [
    problemOf(sessions.open('readiness'), 'sessions-unavailable'),
    problemOf(versions && run(() => versions.getItemRaw('readiness')), 'releases-unavailable'),
    problemOf(webtoolFor(live.current, settings), 'manifest-unavailable'),
  ];
  let answer: Promise<ReadinessProblem | undefined> | undefined;
  let expires = 0;
  return () => {
    if (answer && Date.now() <= expires) return answer;
    expires = Infinity;
    answer = Promise.all(problems())
      .then((found) => found.find((problem) => problem !== undefined))
      .finally(() => (expires = Date.now() + maxAgeMs));
    return answer;
  };
}

/** Resolves with the problem if the check fails. */
const problemOf = (
  check: Promise<unknown> | undefined,
  problem: ReadinessProblem,
): Promise<ReadinessProblem | undefined> =>
  Promise.resolve(check).then(
    () => undefined,
    () => problem,
  );
