import { expect } from '@open-wc/testing';
import { domTree } from '../../src/browser/dom/dom-tree.js';
import type { ToolDefinition } from '../../src/compiler/index.js';
import { withNativeTimeout } from '../support/browser/responsive-frame.js';
import { corpus, inGroups, withPage } from '../support/browser/pages.js';
import { goldenExceptionFor, toolsOf } from '../support/readings.js';
import { knownDrift, type KnownDrift } from './known-drift.js';

interface NativeTool extends ToolDefinition {
  readonly window: Window;
}

/** The release that the profile chromium reproduces. */
const recordedMajor = 156;
const major = Number(/Chrome\/(\d+)/.exec(navigator.userAgent)?.[1]);
const applicableDrift = knownDrift.filter(({ since }) => recordedMajor < since && since <= major);

/** The tools that the browser itself lists for a page. */
async function nativeTools(window: Window): Promise<readonly ToolDefinition[]> {
  const tools = await withNativeTimeout(window.document.modelContext.getTools());
  return (tools as unknown as readonly NativeTool[])
    .filter((tool) => tool.window === window)
    .map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema }));
}

/** Polls the browser's list, because it registers forms in tasks of its own. Returns the last list. */
async function listedTools(window: Window, expected: string): Promise<string> {
  let native = '';
  for (let delayMs = 0; delayMs < 10_000 && native !== expected; delayMs = delayMs * 2 + 1) {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    native = JSON.stringify(await nativeTools(window));
  }
  return native;
}

interface Difference {
  readonly page: string;
  readonly native: string;
  readonly ours: string;
}

async function differencesOn(pages: readonly string[]): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  await inGroups(pages, 20, (page) =>
    withPage(page, async (window) => {
      const ours = JSON.stringify(toolsOf(domTree, window.document, 'chromium'));
      const native = await listedTools(window, ours);
      if (native !== ours) differences.push({ page, native, ours });
    }),
  );
  return differences;
}

const observedDrift = new Set<KnownDrift>();

/** Fails for every difference, except those of `known-drift.ts` in a later release than the recorded one. */
async function expectSameTools(pages: readonly string[]): Promise<void> {
  expect(pages).not.to.be.empty;
  const differences = await differencesOn(pages);
  const drifted = differences.filter(({ page }) => {
    const known = applicableDrift.filter(({ html }) => page.includes(html));
    known.forEach((drift) => observedDrift.add(drift));
    return known.length > 0;
  });
  if (drifted.length > 0) {
    console.warn(
      `Chromium ${major}: ${drifted.length} of ${pages.length} pages show known drift since ${recordedMajor}.`,
    );
  }
  expect(
    differences.filter((difference) => !drifted.includes(difference)),
    `Chromium ${major} differs from the profile chromium (recorded with ${recordedMajor}): ${differences.length} of ` +
      `${pages.length} pages. Update the profile, or list the difference in test/native/known-drift.ts`,
  ).to.deep.equal([]);
}

describe('the profile chromium', () => {
  it('is compared with a browser of a known release', () => {
    expect(major).to.be.at.least(recordedMajor);
  });

  it('matches the browser on every golden page', async function () {
    this.timeout(180_000);
    const { golden } = await corpus();
    const reachable = golden.filter((pair) => !pair.flags && !goldenExceptionFor('dom', pair));
    await expectSameTools(reachable.map(({ page }) => page));
  });

  it('matches the browser on every case', async function () {
    this.timeout(180_000);
    const { cases } = await corpus();
    const native = cases.filter(({ page }) => !/data-(?:tool|webmcp-ignore)/.test(page)); // unknown to the browser
    await expectSameTools(native.map(({ page }) => page));
  });

  it('matches the browser on every published page', async function () {
    this.timeout(180_000);
    const { published } = await corpus();
    await expectSameTools(published.map(({ page }) => page));
  });

  it('has no listed drift that the browser does not show', () => {
    expect(applicableDrift.filter((drift) => !observedDrift.has(drift))).to.deep.equal([]);
  });
});
