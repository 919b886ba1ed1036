import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { skipWithout } from '../../tools/programs.mjs';
import {
  corpusFolder,
  readCases,
  type CaseFile,
  type Difference,
  type PersonCase,
  type Result,
} from '../support/e2e/person/corpus.js';
import { generatedCase } from '../support/e2e/person/generated.js';
import { Runners, type Endings } from '../support/e2e/person/runners.js';
import type { Ending } from '../support/e2e/person/runs.js';

/** The result of an ending, as the files of the corpus have it. */
function resultOf({ request, errors }: Ending): Result {
  if (!request) return errors ? { errors } : { request: null };
  const { origin: _, referer: _referer, ...sent } = request;
  return { request: sent };
}

type Run = 'live' | 'gateway';

/** Throws unless an ending is equal to the ending of a person, or differs as the case lists. */
function compareEnding(run: Run, ending: Ending, person: Ending, listed?: Difference): void {
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

/** Set to write the results to the files of the corpus, for review. */
const isUpdating = process.env['UPDATE_PERSON'] !== undefined;

const seed = Number(process.env['SEED'] ?? 1);
const runs = Number(process.env['RUNS'] ?? 60);

function compareAll({ person, live, gateway }: Endings): void {
  assert.ok(person.request);
  compareEnding('live', live, person);
  compareEnding('gateway', gateway, person);
}

function update({ name, html: _, ...file }: PersonCase, { person, live, gateway }: Endings): void {
  const { description, tool, path, input, steps, answer, awaitsUser } = file;
  const withResult = (difference: Difference, ending: Endings['live']): Difference => ({
    differs: difference.differs,
    ...resultOf(ending),
  });
  const written: CaseFile = {
    ...{ description, tool },
    ...(path !== undefined && { path }),
    input,
    ...(steps && { steps }),
    ...(answer && { answer }),
    ...(awaitsUser && { awaitsUser }),
    ...resultOf(file.person ? live : person),
    ...(!file.person && person.errors && { errors: live.errors ?? gateway.errors ?? [] }),
    ...(file.person && { person: withResult(file.person, person) }),
    ...(file.live && { live: withResult(file.live, live) }),
    ...(file.gateway && { gateway: withResult(file.gateway, gateway) }),
  };
  writeFileSync(new URL(`${name}.json`, corpusFolder), `${JSON.stringify(written, undefined, 2)}\n`);
}

describe(
  'a form submitted by a person, by a call in the page, and by the gateway',
  { skip: skipWithout('chromium'), concurrent: true },
  () => {
    let runners: Runners;
    beforeAll(async () => {
      runners = await Runners.open(2);
    });
    afterAll(() => runners.close());

    it(`ends in the same way for generated forms (SEED=${seed})`, async () => {
      const property = fc.asyncProperty(generatedCase, async (one) => compareAll(await runners.run(one)));
      await fc.assert(property, { seed, numRuns: runs });
    });

    for (const one of readCases())
      it(`ends as ${one.name} lists: ${one.description}`, async () => {
        const endings = await runners.run(one);
        if (isUpdating) return update(one, endings);
        compareWithFile(one, endings);
      });
  },
);

function compareWithFile(
  { request, errors, person: other, ...one }: PersonCase,
  { person, live, gateway }: Endings,
): void {
  const reference = other ? live : person;
  const expected = { ...(request !== undefined && { request }), ...(errors && { errors }) };
  assert.deepEqual(errors ? { errors: live.errors ?? gateway.errors } : resultOf(reference), expected);
  if (other) compareEnding('live', person, live, other);
  else compareEnding('live', live, person, one.live);
  compareEnding('gateway', gateway, reference, one.gateway);
  if (errors && !one.gateway) assert.deepEqual(gateway.errors, errors);
}
