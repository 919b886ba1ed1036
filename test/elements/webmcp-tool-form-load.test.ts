import { expect } from '@open-wc/testing';
import type { WebmcpTool } from '../../elements/webmcp-tool.js';
import '../../elements/webmcp-tool.js';
import { afterTest, names, settled, tool, waitUntil } from '../support/browser/live.js';

const isLoaded = (): boolean =>
  performance.getEntriesByType('resource').some(({ name }) => name.includes('/form-tool.'));

/** Adds HTML to the page until the end of the test, and returns its elements by tool name. */
function place(html: string): Record<string, WebmcpTool> {
  const container = document.createElement('div');
  container.innerHTML = html;
  document.body.append(container);
  afterTest(() => container.remove());
  return Object.fromEntries([...container.querySelectorAll('webmcp-tool')].map((element) => [element.name, element]));
}

const toolFor = (name: string, id: string): string =>
  `<webmcp-tool name=${name} description=d for=${id}></webmcp-tool>`;
const forms = (...ids: string[]): string =>
  ids.map((id) => `<form id=${id}><label>A <input name=a></label><button>Go</button></form>`).join('');

describe('the lazily loaded part of <webmcp-tool> for forms', () => {
  it('is not loaded for a tool without a form', async () => {
    place('<webmcp-tool name=declared description=d><p>text</p></webmcp-tool>');
    await waitUntil(async () => (await names()).includes('declared'));
    await settled();
    expect(isLoaded()).to.equal(false);
  });

  it('is loaded once for the first form, and misses no change meanwhile', async () => {
    const { gone, changed, declared, late, back } = place(
      [
        ...[toolFor('gone', 'a'), toolFor('second', 'a'), toolFor('changed', 'b'), toolFor('declared', 'c')],
        ...[toolFor('late', 'd'), toolFor('back', 'e'), toolFor('next', 'e'), toolFor('last', 'f')],
        forms('a', 'b', 'c', 'e', 'f', 'g'),
      ].join(''),
    ) as Record<string, WebmcpTool> & Record<'gone' | 'changed' | 'declared' | 'late' | 'back', WebmcpTool>;
    const parent = back.parentElement as Element;
    await Promise.resolve();
    gone.remove();
    back.remove();
    changed.description = 'Changed.';
    declared.removeAttribute('for');
    await Promise.resolve();
    parent.append(back);
    changed.htmlFor = 'g';
    late.insertAdjacentHTML('afterend', forms('d'));
    await waitUntil(async () => (await names()).includes('last'));
    await settled();
    expect((await names()).toSorted()).to.deep.equal(['changed', 'declared', 'last', 'late', 'second']);
    expect((await tool('changed')).description).to.equal('Changed.');
    expect((await tool('declared')).inputSchema).to.deep.equal({ type: 'object', properties: {}, required: [] });
    expect(
      [gone, changed, declared, late, back].map(({ diagnostics }) => diagnostics.map(({ code }) => code)),
    ).to.deep.equal([[], [], [], [], ['form-is-taken']]);
    expect(isLoaded()).to.equal(true);
  });
});
