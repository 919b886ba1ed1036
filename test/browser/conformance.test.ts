import { expect } from '@open-wc/testing';
import { runCases, type ConformanceCase } from '../conformance/harness.js';
import { isNative } from '../support/browser/live.js';

/** The calls in which this package deviates from Chromium 156, with reasons. */
const deviations: Readonly<Record<string, string>> = {
  'submitters/novalidate': 'Most forms with novalidate are validated by their own scripts.',
};

describe('the calls of the conformance suite', () => {
  it('have the expected outcome, except for listed deviations', async function () {
    this.timeout(400_000);
    for (const name of ['iife', 'agent']) await fetch(`/webmcp-forms.${name}.js`); // the server builds them once
    const all = (await (await fetch('/cases.json')).json()) as readonly ConformanceCase[];
    const calls = all.filter(({ kind, disputed }) => kind === 'calls' && !disputed);
    expect(calls).to.have.length.above(100);
    const failed = (await runCases(calls, { frames: 4, patienceMs: 20_000 })).filter(({ passed }) => !passed);
    const expected = isNative ? [] : Object.keys(deviations);
    const idOf = ({ group, name }: ConformanceCase): string => `${group}/${name}`;
    const unexpected = failed.filter((each) => !expected.includes(idOf(each)));
    expect(unexpected, JSON.stringify(unexpected)).to.deep.equal([]);
    expect(failed.map(idOf).sort()).to.deep.equal(expected.sort());
  });
});
