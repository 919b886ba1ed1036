import { expect } from '@open-wc/testing';
import { domTree } from '../../src/browser/dom/dom-tree.js';
import type { ToolDefinition } from '../../src/compiler/index.js';
import { heard } from '../browser/heard-frame.js';
import { corpus, inGroups, withPage } from '../browser/pages.js';
import { goldenExceptionFor, toolsOf } from '../readings.js';

interface NativeTool extends ToolDefinition {
  readonly window: Window;
}

/** The release whose behaviour the profile chromium reproduces. */
const measured = 156;
const major = Number(/Chrome\/(\d+)/.exec(navigator.userAgent)?.[1]);

/** What the browser itself lists for a page. */
async function nativeTools(window: Window): Promise<readonly ToolDefinition[]> {
  const tools = await heard(window.document.modelContext.getTools());
  return (tools as unknown as readonly NativeTool[])
    .filter((tool) => tool.window === window)
    .map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema }));
}

/** The browser registers forms in tasks of its own, so its list may come a little later than the page. */
async function settled(window: Window, expected: string): Promise<string> {
  let native = '';
  for (let wait = 0; wait < 500 && native !== expected; wait = wait * 2 + 1) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    native = JSON.stringify(await nativeTools(window));
  }
  return native;
}

interface Difference {
  readonly page: string;
  readonly native: string;
  readonly ours: string;
}

async function compare(pages: readonly string[]): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  await inGroups(pages, 20, (page) =>
    withPage(page, async (window) => {
      const ours = JSON.stringify(toolsOf(domTree, window.document, 'chromium'));
      const native = await settled(window, ours);
      if (native !== ours) differences.push({ page, native, ours });
    }),
  );
  return differences;
}

/** On Chromium 156 a difference is a failure; on another release it is drift: printed, and skipped. */
function judge(test: Mocha.Context, differences: readonly Difference[]): void {
  if (major === measured) {
    expect(differences).to.deep.equal([]);
  } else if (differences.length > 0) {
    console.warn(`Chromium ${major} differs from ${measured}:`, JSON.stringify(differences, null, 2));
    test.skip();
  }
}

describe('the profile chromium', () => {
  it('makes what this browser makes of every golden page', async function () {
    const { golden } = await corpus();
    const reachable = golden.filter((pair) => !pair.flags && !goldenExceptionFor('dom', pair));
    judge(this, await compare(reachable.map(({ page }) => page)));
  });

  it('makes what this browser makes of every case', async function () {
    const { cases } = await corpus();
    const native = cases.filter(({ page }) => !page.includes('data-tool')); // the browser does not know that spelling
    judge(this, await compare(native.map(({ page }) => page)));
  });

  it('makes what this browser makes of every published page', async function () {
    const { published } = await corpus();
    judge(this, await compare(published.map(({ page }) => page)));
  });
});
