import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { ModelContextTool } from '../../src/webmcp.js';
import { isNative, namesIn, record, settle, toolIn, until } from '../support/polyfill/frame.js';
import { differsFromNative } from '../support/polyfill/native.js';
import {
  applyTo,
  call,
  deferred,
  methodOf,
  next,
  pageErrors,
  propertyOf,
  quiet,
  rejectionName,
  register,
  thrownBy,
  valid,
  type SomeTool,
} from '../support/polyfill/page.js';

apply();

const context = navigator.modelContext;
const tool = (part: SomeTool): ModelContextTool => ({ ...valid, ...part });
const provide = (...tools: SomeTool[]) => context.provideContext({ tools: tools.map(tool) });
const registerTool = (part: SomeTool, signal?: AbortSignal) =>
  context.registerTool(tool(part), signal ? { signal } : undefined);
const names = () => namesIn(document);

afterEach(() => context.clearContext());

describe('navigator.modelContext', () => {
  it('navigator.modelContext is always the same ModelContext, and not that of the document', () => {
    expect('modelContext' in navigator).to.equal(true);
    expect(Object.hasOwn(navigator, 'modelContext')).to.equal(false);
    expect(navigator.modelContext).to.equal(context);
    expect(context).to.be.an.instanceOf(window.ModelContext);
    expect(context).not.to.equal(document.modelContext);
    expect(Object.prototype.toString.call(context)).to.equal('[object ModelContext]');
    expect(Reflect.set(navigator, 'modelContext', {})).to.equal(false);
  });

  it('navigator.modelContext throws a TypeError for other objects', () => {
    const { get, set, ...rest } = propertyOf(Navigator.prototype, 'modelContext');
    expect([get?.name, set]).to.deep.equal(['get modelContext', undefined]);
    expect(rest).to.deep.equal({ enumerable: true, configurable: true });
    for (const target of [{}, null, Navigator.prototype, document]) {
      expect(thrownBy(() => applyTo(get, target))).to.equal('TypeError');
    }
  });

  it('navigator.modelContext lists and runs the tools of the document, and dispatches their events', async () => {
    await register({ name: 'document', execute: () => 'result' });
    registerTool({ name: 'navigator' });
    const tools = await context.getTools();
    expect(tools.map(({ name }) => name)).to.deep.equal(['document', 'navigator']);
    expect(tools).to.deep.equal(await document.modelContext.getTools());
    const log: string[] = [];
    const listener = ({ type }: Event) => log.push(type);
    context.addEventListener('toolactivated', listener);
    expect(await context.executeTool(tools[0] as never)).to.equal('result');
    context.removeEventListener('toolactivated', listener);
    await call('document');
    expect(log).to.deep.equal(['toolactivated']);
  });

  it('navigator.modelContext has the event handlers of document.modelContext', () => {
    for (const name of ['ontoolchange', 'ontoolactivated', 'ontoolcancel'] as const) {
      const handler = () => undefined;
      context[name] = handler;
      expect(document.modelContext[name]).to.equal(handler);
      document.modelContext[name] = null;
      expect(context[name]).to.equal(null);
    }
  });

  it('navigator.modelContext dispatches toolchange', async () => {
    const changed = new Promise((resolve) => context.addEventListener('toolchange', resolve, { once: true }));
    registerTool({ name: 'a' });
    expect(((await changed) as Event).type).to.equal('toolchange');
  });
});

describe('registerTool of navigator.modelContext', () => {
  it('registerTool of navigator.modelContext registers synchronously and returns undefined', async () => {
    expect(registerTool({ name: 'a', title: 'A', inputSchema: { type: 'object' }, annotations: {} })).to.equal(
      undefined,
    );
    const { title, inputSchema, annotations } = await toolIn(document, 'a');
    expect([title, inputSchema, annotations?.readOnlyHint]).to.deep.equal(['A', { type: 'object' }, false]);
    expect(await call('a', { b: 1 })).to.equal('{"b":1}');
  });

  const circular: Record<string, unknown> = {};
  circular.itself = circular;
  for (const [what, part, expected] of [
    ['an empty name', { name: '' }, 'InvalidStateError'],
    ['an invalid name', { name: 'a b' }, 'InvalidStateError'],
    ['an empty description', { description: '' }, 'InvalidStateError'],
    ['no name', { name: undefined }, 'TypeError'],
    ['no description', { description: undefined }, 'TypeError'],
    ['no execute', { execute: undefined }, 'TypeError'],
    ['an invalid schema', { inputSchema: 'x' }, 'TypeError'],
    ['a circular schema', { inputSchema: circular }, 'TypeError'],
    ['invalid annotations', { annotations: 5 }, 'TypeError'],
  ] as const) {
    it(`registerTool of navigator.modelContext throws for ${what} and registers nothing`, async () => {
      expect(thrownBy(() => registerTool({ name: 'a', ...part } as SomeTool))).to.equal(expected);
      expect(await names()).to.deep.equal([]);
    });
  }

  it('registerTool of navigator.modelContext throws a TypeError for an invalid tool', () => {
    for (const args of [[], [null], [5], ['x'], [{}]]) {
      expect(thrownBy(() => applyTo(methodOf(context, 'registerTool'), context, ...args))).to.equal('TypeError');
    }
  });

  it('registerTool of navigator.modelContext throws a TypeError if this is another object, and registers nothing', async () => {
    for (const target of [{}, undefined, null, document]) {
      const run = () => applyTo(methodOf(context, 'registerTool'), target, tool({ name: 'a' }));
      expect(thrownBy(run)).to.equal('TypeError');
    }
    expect(await names()).to.deep.equal([]);
  });

  it('registerTool throws an InvalidStateError for a name that was registered through navigator', async () => {
    registerTool({ name: 'a', title: 'first' });
    expect(thrownBy(() => registerTool({ name: 'a', title: 'second' }))).to.equal('InvalidStateError');
    expect((await toolIn(document, 'a')).title).to.equal('first');
  });

  it('document.modelContext rejects a name that was registered through navigator', async () => {
    registerTool({ name: 'a' });
    const registered = document.modelContext.registerTool(tool({ name: 'a' }));
    expect(await rejectionName(registered)).to.equal('InvalidStateError');
  });

  differsFromNative(
    'nameInUse',
    'registerTool of navigator.modelContext throws for a name that was registered through the document',
    async () => {
      await register({ name: 'a' });
      const errors = pageErrors();
      const thrown = thrownBy(() => registerTool({ name: 'a' }));
      await settle();
      expect([thrown, errors]).to.deep.equal(['InvalidStateError', []]);
    },
  );

  if (isNative) {
    it('an asynchronous rejection by the browser is reported as a page error, and the name can be used again', async () => {
      const controller = await register({ name: 'a', title: 'document' });
      const errors = pageErrors();
      registerTool({ name: 'a', title: 'refused' });
      await until(() => errors.length > 0);
      expect(errors.map((error) => (error as DOMException).name)).to.deep.equal(['InvalidStateError']);
      expect((await toolIn(document, 'a')).title).to.equal('document');
      controller.abort();
      registerTool({ name: 'a', title: 'navigator' });
      expect((await toolIn(document, 'a')).title).to.equal('navigator');
    });
  }

  it('registerTool of navigator.modelContext unregisters the tool when its signal aborts', async () => {
    const controller = new AbortController();
    registerTool({ name: 'a' }, controller.signal);
    expect(await names()).to.deep.equal(['a']);
    controller.abort();
    expect(await names()).to.deep.equal([]);
    expect(thrownBy(() => context.unregisterTool('a'))).to.equal('InvalidStateError');
    registerTool({ name: 'a' });
    expect(await names()).to.deep.equal(['a']);
  });

  it('registerTool of navigator.modelContext returns undefined and registers nothing if the signal is aborted', async () => {
    expect(registerTool({ name: 'a' }, AbortSignal.abort())).to.equal(undefined);
    expect(await names()).to.deep.equal([]);
  });

  it('the signal of a removed tool does not unregister the next tool of its name', async () => {
    const controller = new AbortController();
    registerTool({ name: 'a' }, controller.signal);
    context.unregisterTool('a');
    registerTool({ name: 'a' });
    controller.abort();
    expect(await names()).to.deep.equal(['a']);
  });
});

describe('unregisterTool', () => {
  it('unregisterTool removes a tool, dispatches toolchange and returns undefined', async () => {
    provide({ name: 'a' }, { name: 'b' });
    await quiet();
    const log = record(document);
    const changed = next('toolchange');
    expect(context.unregisterTool('a')).to.equal(undefined);
    expect(await names()).to.deep.equal(['b']);
    await changed;
    await settle();
    expect(log).to.deep.equal(['toolchange']);
  });

  it('unregisterTool throws an InvalidStateError for a name that was not registered through navigator', async () => {
    await register({ name: 'a' });
    for (const name of ['a', 'b', '']) {
      expect(thrownBy(() => context.unregisterTool(name))).to.equal('InvalidStateError');
    }
    expect(await names()).to.deep.equal(['a']);
  });

  it('unregisterTool throws a TypeError without a name', () => {
    expect(thrownBy(() => applyTo(methodOf(context, 'unregisterTool'), context))).to.equal('TypeError');
  });

  it('a running call continues after unregisterTool', async () => {
    const { promise, resolve } = deferred<string>();
    registerTool({ name: 'a', execute: () => promise });
    const result = call('a');
    await next('toolactivated');
    context.unregisterTool('a');
    resolve('result');
    expect(await result).to.equal('result');
  });
});
