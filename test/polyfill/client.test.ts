import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ToolExecuteOptions } from '../../src/webmcp.js';
import { rejectionOf } from '../support/polyfill/frame.js';
import { differsFromNative } from '../support/polyfill/native.js';
import { call, deferred, forever, next, rejectionName, register } from '../support/polyfill/page.js';

apply();

const context = navigator.modelContext;

afterEach(() => context.clearContext());

describe('the client argument of a tool of navigator.modelContext', () => {
  /** Runs a function with the client of a tool. */
  async function withClient(run: (client: ToolExecuteOptions) => unknown): Promise<string | null> {
    context.registerTool({ name: 'a', description: 'd', execute: (_, client) => run(client) });
    return call('a');
  }

  it('the client has the own key signal and the inherited requestUserInteraction', async () => {
    const result = await withClient((client) => [Reflect.ownKeys(client), typeof client.requestUserInteraction]);
    expect(result).to.equal('[["signal"],"function"]');
  });

  it('requestUserInteraction runs the interaction and resolves with its result', async () => {
    const result = await withClient(async (client) => [
      await client.requestUserInteraction(() => 'at once'),
      await client.requestUserInteraction(() => Promise.resolve('later')),
      await client.requestUserInteraction((...args: unknown[]) => args.length),
    ]);
    expect(result).to.equal('["at once","later",0]');
  });

  it('requestUserInteraction rejects with the error of the interaction', async () => {
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

  it('requestUserInteraction rejects with a TypeError if its argument is not a function', async () => {
    for (const interaction of [undefined, null, 5, {}]) {
      const rejection = withClient((client) => rejectionName(client.requestUserInteraction(interaction as never)));
      expect(await rejection).to.equal('TypeError');
      context.clearContext();
    }
  });

  it('requestUserInteraction rejects without running the interaction if the call was aborted', async () => {
    const controller = new AbortController();
    const rejection = deferred<unknown>();
    let runs = 0;
    context.registerTool({
      name: 'a',
      description: 'd',
      execute: (_, client) => {
        client.signal.addEventListener('abort', () => {
          rejection.resolve(rejectionOf(client.requestUserInteraction(() => runs++)));
        });
        return forever();
      },
    });
    const rejected = rejectionOf(call('a', {}, controller));
    await next('toolactivated');
    controller.abort('mine');
    expect(await rejected).to.equal('mine');
    expect(((await rejection.promise) as DOMException).name).to.equal('AbortError');
    expect(runs).to.equal(0);
  });

  differsFromNative('client', 'tools of document.modelContext receive a client too', async () => {
    await register({ name: 'a', execute: (_, client) => client.requestUserInteraction(() => 'result') });
    expect(await call('a')).to.equal('result');
  });
});
