import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import { namesIn, settle, toolIn, until } from '../support/polyfill/frame.js';
import { call, deferred, forever, next, rejectionName, register } from '../support/polyfill/page.js';

apply();

describe('a running tool', () => {
  it('a tool is called once, with the input and the options, and without this', async () => {
    const calls: unknown[][] = [];
    await register({
      name: 'a',
      execute(this: unknown, ...args: unknown[]) {
        calls.push([this, ...args]);
      },
    });
    await call('a', { b: 1 });
    expect(calls).to.have.lengthOf(1);
    const [target, input, options, ...rest] = calls[0] as [unknown, unknown, { signal: AbortSignal }];
    expect([target, input, rest]).to.deep.equal([undefined, { b: 1 }, []]);
    expect(Reflect.ownKeys(options)).to.deep.equal(['signal']);
    expect(options.signal).to.be.an.instanceOf(AbortSignal);
    expect(options.signal.aborted).to.equal(false);
  });

  it('a tool does not start before executeTool has returned', async () => {
    const log: string[] = [];
    await register({ name: 'a', execute: () => void log.push('started') });
    const tool = await toolIn(document, 'a');
    const done = document.modelContext.executeTool(tool);
    log.push('returned');
    await Promise.resolve().then(() => log.push('microtask'));
    await done;
    expect(log).to.deep.equal(['returned', 'microtask', 'started']);
  });

  it('concurrent calls of a tool have their own results', async () => {
    const waiting: (() => void)[] = [];
    await register({
      name: 'a',
      execute: ({ k }: { k: string }) => new Promise((resolve) => waiting.push(() => resolve(k))),
    });
    const results = Promise.all(['1', '2', '3'].map((k) => call('a', { k })));
    await until(() => waiting.length === 3);
    for (const resolve of waiting.reverse()) resolve();
    expect(await results).to.deep.equal(['1', '2', '3']);
  });

  it('a tool can call other tools and itself', async () => {
    await register({
      name: 'sum',
      execute: async ({ n }: { n: number }) => (n === 0 ? 0 : n + Number(await call('sum', { n: n - 1 }))),
    });
    await register({
      name: 'twice',
      execute: async (input: object) => `${await call('sum', input)} ${await call('sum', input)}`,
    });
    expect(await call('twice', { n: 3 })).to.equal('6 6');
  });

  it('a running tool continues when it is unregistered, and its signal does not abort', async () => {
    const { promise, resolve } = deferred<unknown>();
    let signal: AbortSignal | undefined;
    const controller = await register({
      name: 'a',
      execute: (_, options) => ((signal = options.signal), promise),
    });
    const result = call('a');
    await next('toolactivated');
    controller.abort();
    await settle();
    expect(await namesIn(document)).to.deep.equal([]);
    expect(signal?.aborted).to.equal(false);
    resolve({ status: 'resolved' });
    expect(await result).to.equal('{"status":"resolved"}');
  });

  it('a running tool continues when it unregisters itself', async () => {
    const controller = new AbortController();
    await register(
      {
        name: 'a',
        execute: async (_, { signal }) => {
          controller.abort();
          return [await namesIn(document), signal.aborted];
        },
      },
      { signal: controller.signal },
    );
    expect(await call('a')).to.equal('[[],false]');
  });

  it('a call resolves if its tool is unregistered when it finishes', async () => {
    const { promise, resolve } = deferred<string>();
    const controller = await register({ name: 'a', execute: () => promise });
    const result = call('a');
    await next('toolactivated');
    resolve('result');
    controller.abort();
    expect(await result).to.equal('result');
  });

  it('a tool that is unregistered before it starts does not run', async () => {
    let runs = 0;
    const controller = await register({ name: 'a', execute: () => runs++ });
    const result = document.modelContext.executeTool(await toolIn(document, 'a'));
    controller.abort();
    expect(await rejectionName(result)).to.equal('UnknownError');
    expect(runs).to.equal(0);
  });

  it('a tool that never settles does not block others', async () => {
    await register({ name: 'stuck', execute: forever });
    await register({ name: 'a', execute: () => 'done' });
    void call('stuck');
    await next('toolactivated');
    expect(await call('a')).to.equal('done');
  });
});
