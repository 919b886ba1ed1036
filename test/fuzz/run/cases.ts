import * as fc from 'fast-check';
import type { Outcome, Runner, Target } from '../target.js';

/** The seed of a batch, so that every batch can be generated alone. */
const seedOf = (seed: number, batch: number): number => (Math.imul(seed, 1_000_003) + batch) | 0;

export const generate = <Case>({ cases, batch: size }: Target<Case>, seed: number, batch: number): Case[] =>
  fc.sample(cases, { seed: seedOf(seed, batch), numRuns: size });

const shrinkMilliseconds = 5000;

/** A smaller case with the same kind of failure, found within a few seconds. */
export async function shrink(
  { cases, batch: size }: Target,
  runner: Runner,
  place: { readonly seed: number; readonly batch: number; readonly index: number; readonly failure: string },
): Promise<{ readonly value: unknown; readonly failure: string } | undefined> {
  const kind = kindOf(place.failure);
  let smallest: { readonly value: unknown; readonly failure: string } | undefined;
  const property = fc.asyncProperty(cases, async (value) => {
    const [outcome] = await runner.run([value], () => undefined);
    if (outcome?.failure === undefined || kindOf(outcome.failure) !== kind) return;
    smallest = { value, failure: outcome.failure };
    throw new Error(kind);
  });
  await fc.check(property, {
    seed: seedOf(place.seed, place.batch),
    path: String(place.index),
    numRuns: size,
    interruptAfterTimeLimit: shrinkMilliseconds,
  });
  return smallest;
}

/** Failures of one kind differ in values only: the name of an invariant, or the message and place of an exception. */
export function kindOf(failure: string): string {
  const [head = '', place = ''] = failure.split('\n');
  const isException = /^\w*Error/.test(head);
  const text = isException ? `${head.slice(0, 120)} ${place.trim().replace(/\(.*\//, '(')}` : head.split(': ')[0];
  return (text ?? failure).replace(/"(?:[^"\\]|\\.)*"|\d+/g, '#').slice(0, 200);
}

export const isFailed = (outcome: Outcome): outcome is Outcome & { readonly failure: string } =>
  outcome.failure !== undefined;
