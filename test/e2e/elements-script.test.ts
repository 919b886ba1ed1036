import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { engines, wantedEngines } from '../../tools/browsers.mjs';
import { skipWithout } from '../../tools/programs.mjs';
import { until } from '../support/until.js';
import { openTab, type Tab } from '../support/e2e/open.js';
import { serveFiles, type FileServer } from '../support/e2e/serve-files.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const script = '<script type=module src="webmcp-elements.js"></script>';
const withoutForm = `<script src="webmcp-forms.iife.js"></script>${script}
<webmcp-tool name=time description="Reads the time."></webmcp-tool>
<script type=module>
  document.querySelector('webmcp-tool').execute = () => 'noon';
</script>`;
const withForm = `${withoutForm}<webmcp-tool name=find description="Finds books."><form><input name=q></form></webmcp-tool>`;

/** Parts of the folder beside the script that describe or run forms. */
const formParts = ['form-tool.js', 'reporting-forms.js', 'src.js'];

/** Opens the section of the inspector with the forms without annotations. Returns its text when it no longer changes. */
async function formsIn(tab: Tab, url: string): Promise<string> {
  await tab.goto(`${url}page.html`);
  return tab.evaluate(async () => {
    const inRoot = (selector: string): Element | null | undefined =>
      document.querySelector('webmcp-inspector')?.shadowRoot?.querySelector(selector);
    const find = async <Value>(read: () => Value | null | undefined | false): Promise<Value> => {
      for (;;) {
        const value = read();
        if (value) return value;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    (await find(() => inRoot('[part=forms]')?.closest('details')?.querySelector('summary'))).click();
    const text = (): string => inRoot('[part=forms]')?.textContent?.replace(/\s+/g, ' ') ?? '';
    return find(() => text() !== '' && !text().includes('Loading…') && text());
  }, null);
}

for (const engine of wantedEngines().filter((name) => name !== 'webmcp')) {
  const { label, program } = engines[engine];
  describe(`the script of the elements in ${label}`, { skip: skipWithout(program) }, () => {
    let tab: Tab;
    let close: () => Promise<void>;
    let server: FileServer;
    let html = '';
    let missing = '';

    beforeAll(async () => {
      tab = await openTab(engine);
      server = await serveFiles({ onTestFinished: (steps) => (close = steps) }, dist, (path, _, response) => {
        if (missing !== '' && path.endsWith(missing)) {
          response.writeHead(404).end();
          return true;
        }
        if (path !== 'page.html') return false;
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(`<!doctype html><title>Elements</title>${html}`);
        return true;
      });
    });
    afterAll(async () => {
      await tab.close();
      await close();
    });

    const toolsIn = (page: Tab): Promise<readonly string[]> =>
      page.evaluate(async () => (await document.modelContext.getTools()).map(({ name }) => name).toSorted(), null);

    /** The parts for forms that a page with a number of tools loads, and its tools. */
    const open = async (
      content: string,
      count: number,
    ): Promise<{ parts: readonly string[]; tools: readonly string[] }> => {
      html = content;
      server.requested.length = 0;
      await tab.goto(`${server.url}page.html`);
      await until(async () => (await toolsIn(tab)).length >= count);
      await wait(300); // other parts could be loaded meanwhile
      const loaded = server.requested.map((path) => path.split('/').at(-1) ?? '');
      return { parts: formParts.filter((part) => loaded.includes(part)), tools: await toolsIn(tab) };
    };

    it('loads no part for forms if no tool has a form', async () => {
      assert.deepEqual(await open(withoutForm, 1), { parts: [], tools: ['time'] });
    });

    it('loads the part for forms if a tool has one', async () => {
      const { parts, tools } = await open(withForm, 2);
      assert.ok(parts.includes('form-tool.js'));
      assert.deepEqual(tools, ['find', 'time']);
    });

    it('the inspector shows why it has no suggestions if the part with them cannot be loaded, and shows them after a reload', async () => {
      html = `${script}<form action="/search"><label>Title <input name=q type=search></label><button>Search books</button></form>
<webmcp-inspector tab=findings></webmcp-inspector>`;
      missing = 'suggest-forms.js';
      assert.match(
        await formsIn(tab, server.url),
        /The suggestions are not available: \S.*\. Reload the page\. If this does not help, check that its server/,
      );
      missing = '';
      const shown = await formsIn(tab, server.url);
      assert.match(shown, /search_books/);
      assert.doesNotMatch(shown, /not available/);
    });
  });
}
