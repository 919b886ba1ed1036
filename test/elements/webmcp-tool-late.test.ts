import { expect } from '@open-wc/testing';
import type { WebmcpTool } from '../../elements/webmcp-tool.js';
import '../../elements/webmcp-tool.js';
import { isSupported } from '../../src/polyfill/index.js';
import { waitUntil } from '../support/wait-until.js';

const withoutContext = isSupported() ? describe.skip : describe;

withoutContext('<webmcp-tool> before the polyfill', () => {
  it('reports the missing model context, and registers its tool once there is one', async () => {
    const container = document.createElement('div');
    container.innerHTML = `<webmcp-tool name=declared description=d></webmcp-tool>
      <webmcp-tool name=form description=d for=f></webmcp-tool>
      <form id=f><label>A <input name=a></label><button>Go</button></form>`;
    document.body.append(container);
    const elements = [...container.querySelectorAll('webmcp-tool')] as WebmcpTool[];
    const codes = (): string[] => elements.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
    await waitUntil(() => codes().length === 2);
    expect(codes()).to.deep.equal(['no-model-context', 'no-model-context']);
    const { apply } = await import('../../src/polyfill/index.js');
    const controller = new AbortController();
    apply({ signal: controller.signal });
    const names = async (): Promise<string[]> => (await document.modelContext.getTools()).map(({ name }) => name);
    await waitUntil(async () => (await names()).length === 2);
    expect([await names(), codes()]).to.deep.equal([['declared', 'form'], []]);
    container.remove();
    await waitUntil(async () => (await names()).length === 0);
    controller.abort();
  });
});
