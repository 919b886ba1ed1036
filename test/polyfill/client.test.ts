import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ToolExecuteOptions } from '../../src/webmcp.js';
import { rejectionOf } from './frame.js';
import { differsFromNative } from './native.js';
import { call, deferred, forever, next, refusalOf, register } from './page.js';

apply();

const context = navigator.modelContext;

afterEach(() => context.clearContext());

describe('the client that a tool of navigator.modelContext is given', () => {
  /** Runs a tool that does something with its client. */
  async function withClient(run: (client: ToolExecuteOptions) => unknown): Promise<string | null> {
    context.registerTool({ name: 'a', description: 'd', execute: (_, client) => run(client) });
    return call('a');
  }

  it('has a signal for its only own key, and requestUserInteraction', async () => {
    const told = await withClient((client) => [Reflect.ownKeys(client), typeof client.requestUserInteraction]);
    expect(told).to.equal('[["signal"],"function"]');
  });

  it('runs an interaction, and resolves with its result', async () => {
    const told = await withClient(async (client) => [
      await client.requestUserInteraction(() => 'at once'),
      await client.requestUserInteraction(() => Promise.resolve('later')),
      await client.requestUserInteraction((...args: unknown[]) => args.length),
    ]);
    expect(told).to.equal('["at once","later",0]');
  });

  it('rejects with the very error of an interaction', async () => {
    const error = new Error('mine');
    const fail = () => {
      throw error;
    };
    const rejections: unknown[] = [];
    await withClient(async (client) => {
      rejections.push(await rejectionOf(client.requestUserInteraction(fail)));
      rejections.push(await rejectionOf(client.requestUserInteraction(() => Promise.reject(error))));
    });
    expect(rejections).to.deep.equal([error, error]);
  });

  it('rejects with a TypeError for what is no function', async () => {
    for (const interaction of [undefined, null, 5, {}]) {
      const refused = withClient((client) => refusalOf(client.requestUserInteraction(interaction as never)));
      expect(await refused).to.equal('TypeError');
      context.clearContext();
    }
  });

  it('rejects without running the interaction when the call was aborted', async () => {
    const controller = new AbortController();
    const refused = deferred<unknown>();
    let runs = 0;
    context.registerTool({
      name: 'a',
      description: 'd',
      execute: (_, client) => {
        client.signal.addEventListener('abort', () => {
          refused.resolve(rejectionOf(client.requestUserInteraction(() => runs++)));
        });
        return forever();
      },
    });
    const rejected = rejectionOf(call('a', {}, controller));
    await next('toolactivated');
    controller.abort('mine');
    expect(await rejected).to.equal('mine');
    expect(((await refused.promise) as DOMException).name).to.equal('AbortError');
    expect(runs).to.equal(0);
  });

  differsFromNative('client', 'is given to the tools of the document too', async () => {
    await register({ name: 'a', execute: (_, client) => client.requestUserInteraction(() => 'result') });
    expect(await call('a')).to.equal('result');
  });
});
