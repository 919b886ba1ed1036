import { expect } from '@open-wc/testing';
import { domTree } from '../../src/browser/dom/dom-tree.js';
import { parsePage } from '../../src/parse5/parse5-tree.js';
import { profileNames, type ToolDefinition } from '../../src/compiler/index.js';
import { descriptionsOf, goldenExceptionFor, toolsOf } from '../support/readings.js';
import { corpus, inGroups, withPage } from '../support/browser/pages.js';

/** Compared as text, because the order of keys matters. */
const text = (tools: readonly ToolDefinition[]): string => JSON.stringify(tools, null, 2);

describe('the DOM front end', () => {
  it('synthesizes the tools of Chromium 156 for every golden page', async () => {
    const { golden } = await corpus();
    await inGroups(golden, 20, async (pair) => {
      const { html, page, tools } = pair;
      const exception = goldenExceptionFor('dom', pair);
      const actual = await withPage(page, ({ document }) => text(toolsOf(domTree, document, 'chromium')));
      if (exception) expect(actual, `stale exception: ${exception.reason}`).not.to.equal(text(tools));
      else expect(actual, html).to.equal(text(tools));
    });
  });

  it('synthesizes the expected tools of every case in every profile', async () => {
    const { cases } = await corpus();
    await inGroups(cases, 20, async ({ name, page, expected }) => {
      await withPage(page, ({ document }) => {
        for (const profile of profileNames) {
          expect(text(toolsOf(domTree, document, profile)), `${name}, ${profile}`).to.equal(text(expected[profile]));
        }
      });
    });
  });

  it('describes every published page as the parse5 front end does', async () => {
    const { published } = await corpus();
    await inGroups(published, 20, async ({ name, page }) => {
      const { document, tree } = parsePage(page);
      const expected = descriptionsOf(tree, document);
      expect(expected, name).not.to.be.empty;
      const actual = await withPage(page, (window) => descriptionsOf(domTree, window.document));
      expect(JSON.stringify(actual, null, 2), name).to.equal(JSON.stringify(expected, null, 2));
    });
  });
});
