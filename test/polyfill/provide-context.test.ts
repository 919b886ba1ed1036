import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ModelContextTool } from '../../src/webmcp.js';
import { namesIn, record, settle, toolIn } from '../support/polyfill/frame.js';
import { differsFromNative } from '../support/polyfill/native.js';
import {
  call,
  deferred,
  next,
  pageErrors,
  quiet,
  register,
  thrownBy,
  valid,
  type SomeTool,
} from '../support/polyfill/page.js';

apply();

const context = navigator.modelContext;
const provide = (...tools: SomeTool[]) =>
  context.provideContext({ tools: tools.map((tool): ModelContextTool => ({ ...valid, ...tool })) });
const names = () => namesIn(document);

afterEach(() => context.clearContext());

describe('provideContext', () => {
  it('provideContext registers tools synchronously and returns undefined', async () => {
    expect(provide({ name: 'b', title: 'B' }, { name: 'a' })).to.equal(undefined);
    expect(await names()).to.deep.equal(['a', 'b']);
    expect((await toolIn(document, 'b')).title).to.equal('B');
    expect(await call('a', { c: 1 })).to.equal('{"c":1}');
  });

  it('provideContext replaces only the tools that were registered through navigator', async () => {
    await register({ name: 'document' });
    provide({ name: 'a' }, { name: 'b', title: 'old' });
    context.registerTool({ ...valid, name: 'c' });
    provide({ name: 'b', title: 'new' }, { name: 'd' });
    expect(await names()).to.deep.equal(['b', 'd', 'document']);
    expect((await toolIn(document, 'b')).title).to.equal('new');
  });

  it('provideContext dispatches toolchange', async () => {
    const changed = next('toolchange');
    provide({ name: 'a' });
    expect((await changed).type).to.equal('toolchange');
  });

  differsFromNative('coalesced', 'provideContext dispatches one toolchange for all replaced tools', async () => {
    provide({ name: 'a' }, { name: 'b' });
    await quiet();
    const log = record(document);
    const changed = next('toolchange');
    provide({ name: 'b' }, { name: 'c' }, { name: 'd' });
    await changed;
    await names(); // a browser lists after all changes
    await settle();
    expect(log).to.deep.equal(['toolchange']);
  });

  it('provideContext registers the last of several tools with the same name', async () => {
    provide({ name: 'a', title: 'first' }, { name: 'b' }, { name: 'a', title: 'last', execute: () => 'last' });
    expect(await names()).to.deep.equal(['a', 'b']);
    expect((await toolIn(document, 'a')).title).to.equal('last');
    expect(await call('a')).to.equal('last');
  });

  for (const [what, part, expected] of [
    ['an empty name', { name: '' }, 'InvalidStateError'],
    ['an invalid name', { name: 'a/b' }, 'InvalidStateError'],
    ['an empty description', { name: 'b', description: '' }, 'InvalidStateError'],
    ['no execute', { name: 'b', execute: undefined }, 'TypeError'],
    ['a schema that JSON omits', { name: 'b', inputSchema: { toJSON: () => undefined } }, 'TypeError'],
  ] as const) {
    it(`provideContext has no effect if one of the tools has ${what}`, async () => {
      provide({ name: 'old' });
      await quiet();
      const log = record(document);
      expect(thrownBy(() => provide({ name: 'new' }, part as SomeTool, { name: 'newer' }))).to.equal(expected);
      expect(await names()).to.deep.equal(['old']);
      await settle();
      expect(log).to.deep.equal([]);
    });
  }

  differsFromNative(
    'nameInUse',
    'provideContext has no effect if a tool of the document has one of the names',
    async () => {
      await register({ name: 'taken', title: 'document' });
      provide({ name: 'old' });
      pageErrors();
      expect(thrownBy(() => provide({ name: 'new' }, { name: 'taken' }))).to.equal('InvalidStateError');
      expect(await names()).to.deep.equal(['old', 'taken']);
    },
  );

  for (const options of [undefined, null, {}, { tools: undefined }, { tools: [] }]) {
    it(`provideContext(${JSON.stringify(options)}) removes all tools of navigator`, async () => {
      await register({ name: 'document' });
      provide({ name: 'a' });
      context.provideContext(options as object);
      expect(await names()).to.deep.equal(['document']);
    });
  }

  it('provideContext accepts any iterable of tools', async () => {
    context.provideContext({ tools: new Set(['a', 'b'].map((name) => ({ ...valid, name }))) });
    expect(await names()).to.deep.equal(['a', 'b']);
  });

  it('provideContext throws a TypeError for a value that is not a list of tools, and has no effect', async () => {
    provide({ name: 'old' });
    for (const options of [5, 'x', { tools: null }, { tools: 5 }, { tools: {} }, { tools: [5] }, { tools: 'x' }]) {
      expect(thrownBy(() => context.provideContext(options as object))).to.equal('TypeError');
    }
    expect(await names()).to.deep.equal(['old']);
  });

  it('running calls continue after provideContext', async () => {
    const { promise, resolve } = deferred<string>();
    provide({ name: 'a', execute: () => promise });
    const result = call('a');
    await next('toolactivated');
    provide({ name: 'a', execute: () => 'new' });
    resolve('old');
    expect(await result).to.equal('old');
    expect(await call('a')).to.equal('new');
  });
});

describe('clearContext', () => {
  it('clearContext removes only the tools of navigator and returns undefined', async () => {
    await register({ name: 'document' });
    provide({ name: 'a' }, { name: 'b' });
    context.registerTool({ ...valid, name: 'c' });
    expect(context.clearContext()).to.equal(undefined);
    expect(await names()).to.deep.equal(['document']);
    provide({ name: 'a' });
    expect(await names()).to.deep.equal(['a', 'document']);
  });

  it('clearContext without tools has no effect', async () => {
    await quiet();
    const log = record(document);
    context.clearContext();
    await settle();
    expect(log).to.deep.equal([]);
  });
});
