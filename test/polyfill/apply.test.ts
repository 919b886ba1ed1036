import { expect } from '@open-wc/testing';
import { apply, isPolyfilled, isSupported } from '../../src/polyfill/index.js';
import {
  addFrame,
  ask,
  errorOf,
  here,
  isNative,
  openOther,
  other,
  rejectionOf,
  until,
  windowOf,
} from '../support/polyfill/frame.js';

const globals = ['ModelContext', 'ModelContextClient', 'ToolActivatedEvent', 'ToolCancelEvent'];
const attributes = (target: object): readonly string[] =>
  ['modelContext', 'contentWindow', 'contentDocument']
    .map((name) => [name, Reflect.get(Object.getOwnPropertyDescriptor(target, name) ?? {}, 'get') as unknown] as const)
    .filter(([, get]) => get)
    .map(([name, get]) => `${name}: ${String(get)}`);
const surface = (window: Window & typeof globalThis) => ({
  globals: globals.filter((name) => name in window),
  symbols: Object.getOwnPropertySymbols(window).map(String),
  document: attributes(window.Document.prototype),
  navigator: attributes(window.Navigator.prototype),
  frame: attributes(window.HTMLIFrameElement.prototype),
});

const tool = (name: string) => ({ name, description: 'd', execute: () => 'done' });

describe('apply', () => {
  it('isSupported and isPolyfilled change with apply and with the abort of its signal', () => {
    const controller = new AbortController();
    expect([isSupported(), isPolyfilled()]).to.deep.equal([isNative, false]);
    apply({ signal: controller.signal });
    expect([isSupported(), isPolyfilled()]).to.deep.equal([true, !isNative]);
    controller.abort();
    expect([isSupported(), isPolyfilled()]).to.deep.equal([isNative, false]);
  });

  it('an abort restores the globals of the page and of its frames', () => {
    const frame = addFrame();
    const frameWindow = frame.contentWindow as Window & typeof globalThis;
    const before = [surface(window), surface(frameWindow)];
    const controller = new AbortController();
    apply({ signal: controller.signal });
    expect(frame.contentDocument?.modelContext).to.be.instanceOf(frameWindow.ModelContext);
    if (!isNative) expect([surface(window), surface(frameWindow)]).to.not.deep.equal(before);
    controller.abort();
    expect([surface(window), surface(frameWindow)]).to.deep.equal(before);
  });

  it('apply does not change a native model context or its interfaces', function () {
    if (!isNative) this.skip();
    const context = document.modelContext;
    const before = { ...surface(window), navigator: [] };
    const descriptors = Object.getOwnPropertyDescriptors(window.ModelContext.prototype);
    const controller = new AbortController();
    expect(apply({ signal: controller.signal })).to.equal(undefined);
    expect({ ...surface(window), navigator: [] }).to.deep.equal(before);
    expect(Object.getOwnPropertyDescriptors(window.ModelContext.prototype)).to.deep.equal(descriptors);
    expect(document.modelContext).to.equal(context);
    controller.abort();
  });

  it('apply with an aborted signal has no effect', () => {
    expect(apply({ signal: AbortSignal.abort() })).to.equal(undefined);
    expect(isPolyfilled()).to.equal(false);
  });

  it('an abort rejects running calls and aborts their signals', async function () {
    if (isNative) this.skip();
    const controller = new AbortController();
    apply({ signal: controller.signal });
    const context = document.modelContext;
    let signal: AbortSignal | undefined;
    const begun = new Promise<void>((resolve) => {
      void context.registerTool({
        ...tool('endless'),
        execute: (_, options) => {
          ({ signal } = options);
          resolve();
          return new Promise(() => undefined);
        },
      });
    });
    const [endless] = await context.getTools();
    const rejection = rejectionOf(context.executeTool(endless as never));
    await begun;
    controller.abort();
    expect(((await rejection) as DOMException).name).to.equal('UnknownError');
    expect(signal?.aborted).to.equal(true);
  });

  it('apply after an abort starts without the earlier tools', async function () {
    if (isNative) this.skip();
    const first = new AbortController();
    apply({ signal: first.signal });
    await document.modelContext.registerTool(tool('old'));
    first.abort();
    const second = new AbortController();
    apply({ signal: second.signal });
    await document.modelContext.registerTool(tool('new'));
    expect((await document.modelContext.getTools()).map(({ name }) => name)).to.deep.equal(['new']);
    second.abort();
  });

  it('a ModelContext from before an abort does not see the tools of the next apply', async function () {
    if (isNative) this.skip();
    const first = new AbortController();
    apply({ signal: first.signal });
    const { modelContext } = document;
    first.abort();
    const second = new AbortController();
    apply({ signal: second.signal });
    await document.modelContext.registerTool(tool('new'));
    expect(document.modelContext).to.not.equal(modelContext);
    expect(await modelContext.getTools()).to.deep.equal([]);
    second.abort();
  });

  it('apply after an abort does not use the earlier validator', async function () {
    if (isNative) this.skip();
    const first = new AbortController();
    const message = 'rejected by the validator';
    apply({ signal: first.signal, validate: () => () => [{ path: '', reason: 'type', message }] });
    first.abort();
    const second = new AbortController();
    apply({ signal: second.signal });
    await document.modelContext.registerTool({ ...tool('new'), inputSchema: { type: 'object' } });
    const [listed] = await document.modelContext.getTools();
    expect(await document.modelContext.executeTool(listed as never)).to.equal('done');
    second.abort();
  });

  it('apply after an abort evaluates the permissions policy again', async function () {
    if (isNative) this.skip();
    const frame = addFrame({ allow: "tools 'none'" });
    const first = new AbortController();
    apply({ signal: first.signal });
    const list = () => errorOf((frame.contentDocument as Document).modelContext.getTools());
    expect(await list()).to.equal('NotAllowedError');
    first.abort();
    frame.allow = 'tools';
    const second = new AbortController();
    apply({ signal: second.signal });
    expect(await list()).to.equal('no error');
    second.abort();
  });

  it('a second signal of a removed polyfill does not affect the next apply', async function () {
    if (isNative) this.skip();
    const [first, second, next] = [new AbortController(), new AbortController(), new AbortController()];
    apply({ signal: first.signal });
    apply({ signal: second.signal });
    first.abort();
    apply({ signal: next.signal });
    await document.modelContext.registerTool(tool('new'));
    second.abort();
    expect((await document.modelContext.getTools()).map(({ name }) => name)).to.deep.equal(['new']);
    next.abort();
    expect(isSupported()).to.equal(false);
  });

  it('apply after an abort connects to frames of other origins again', async function () {
    if (isNative) this.skip();
    const frame = windowOf(await openOther());
    for (const name of ['first', 'second']) {
      const controller = new AbortController();
      apply({ signal: controller.signal });
      await document.modelContext.registerTool(tool(name), { exposedTo: [other] });
      await until(async () => (await ask(frame, 'list', [here])).length > 0);
      expect(await ask(frame, 'list', [here])).to.deep.equal([`${name} ${here}`]);
      controller.abort();
      await until(async () => (await ask(frame, 'list', [here])).length === 0);
    }
  });

  it('a second apply reuses the model context, and its signal removes the polyfill', async function () {
    if (isNative) this.skip();
    const controller = new AbortController();
    apply();
    const context = document.modelContext;
    await context.registerTool(tool('first'));
    apply({ signal: controller.signal });
    expect(document.modelContext).to.equal(context);
    expect((await context.getTools()).map(({ name }) => name)).to.deep.equal(['first']);
    controller.abort();
    expect(isSupported()).to.equal(false);
  });
});
