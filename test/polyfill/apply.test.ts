import { expect } from '@open-wc/testing';
import { apply, isPolyfilled, isSupported } from '../../src/polyfill/index.js';
import { addFrame, isNative } from './frame.js';
import { rejectionOf } from './frame.js';

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
  it('says what the page has before and after', () => {
    const controller = new AbortController();
    expect([isSupported(), isPolyfilled()]).to.deep.equal([isNative, false]);
    apply({ signal: controller.signal });
    expect([isSupported(), isPolyfilled()]).to.deep.equal([true, !isNative]);
    controller.abort();
    expect([isSupported(), isPolyfilled()]).to.deep.equal([isNative, false]);
  });

  it('puts everything back when its signal aborts, in frames too', () => {
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

  it('leaves a native context and its interfaces alone', function () {
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

  it('does nothing with a signal that is aborted', () => {
    expect(apply({ signal: AbortSignal.abort() })).to.equal(undefined);
    expect(isPolyfilled()).to.equal(false);
  });

  it('rejects the calls that run when it is taken back, and aborts their signals', async function () {
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

  it('begins anew after it was taken back', async function () {
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

  it('is one polyfill when it is applied twice', async function () {
    if (isNative) this.skip();
    const controller = new AbortController();
    apply();
    const context = document.modelContext;
    await context.registerTool(tool('kept'));
    apply({ signal: controller.signal });
    expect(document.modelContext).to.equal(context);
    expect((await context.getTools()).map(({ name }) => name)).to.deep.equal(['kept']);
    controller.abort();
    expect(isSupported()).to.equal(false);
  });
});
