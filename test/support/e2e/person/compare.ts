import assert from 'node:assert/strict';
import type { Difference, Result } from './corpus.js';
import type { Ending } from './runs.js';

/** The result of an ending, as the files of the corpus have it. */
export function resultOf({ request, errors }: Ending): Result {
  if (!request) return errors ? { errors } : { request: null };
  const { origin: _, referer: _referer, ...sent } = request;
  return { request: sent };
}

type Run = 'live' | 'gateway';

/** Throws unless an ending is that of a person, or differs as the case lists. */
export function compareEnding(run: Run, ending: Ending, person: Ending, listed?: Difference): void {
  if (!listed) return assert.deepEqual(comparable(run, ending), comparable(run, person));
  const { differs, ...result } = listed;
  assert.notDeepEqual(comparable(run, ending), comparable(run, person), `It does not differ any more: ${differs}`);
  if (Object.keys(result).length > 0) assert.deepEqual(resultOf(ending), result);
}

/** Refusals of a person have no codes. The gateway has no controls. */
function comparable(run: Run, { request, errors, controls }: Ending): object {
  if (errors) return { isRefused: true };
  return { request, ...(run === 'live' && { controls }) };
}
