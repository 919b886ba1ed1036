import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import { canCollect, survivors } from '../support/survivors.js';
import { isNative, toolIn } from '../support/polyfill/frame.js';

const canCount = canCollect && !isNative;

const tool = (name: string) => ({
  name,
  description: 'd',
  inputSchema: { type: 'object' },
  execute: (input: unknown): unknown => input,
});

/** Registers tools whose callbacks are referenced by the polyfill only. */
async function registerMany(count: number, signal: AbortSignal): Promise<readonly WeakRef<object>[]> {
  const references: WeakRef<object>[] = [];
  const registrations: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    const each = tool(`tool_${index}`);
    references.push(new WeakRef(each.execute));
    registrations.push(document.modelContext.registerTool(each, { signal }));
  }
  await Promise.all(registrations);
  return references;
}

(canCount ? describe : describe.skip)('garbage collection', () => {
  it('10,000 tools are collected after their signal has aborted', async () => {
    apply();
    const controller = new AbortController();
    const references = await registerMany(10_000, controller.signal);
    expect(await survivors(references)).to.equal(10_000);
    controller.abort();
    expect(await document.modelContext.getTools()).to.deep.equal([]);
    expect(await survivors(references)).to.equal(0);
  });

  it('1,000 finished calls are collected while their signal is still referenced', async () => {
    apply();
    const longLived = new AbortController();
    const controller = new AbortController();
    await document.modelContext.registerTool(tool('echo'), { signal: controller.signal });
    const echo = await toolIn(document, 'echo');
    const references: WeakRef<object>[] = [];
    const call = async (input: object) => {
      const result = document.modelContext.executeTool(echo, input, { signal: longLived.signal });
      references.push(new WeakRef(result));
      await result;
    };
    for (let index = 0; index < 1000; index++) await call({ index });
    expect(await survivors(references)).to.equal(0);
    expect(longLived.signal.aborted).to.equal(false);
    controller.abort();
  });

  it('removed frames are collected with their tools and calls', async () => {
    apply();
    const references: WeakRef<object>[] = [];
    const openAndRemove = async () => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const context = (frame.contentDocument as Document).modelContext;
      await context.registerTool({ ...tool('framed'), execute: () => new Promise(() => undefined) });
      const framed = await toolIn(document, 'framed');
      document.modelContext.executeTool(framed).catch(() => undefined);
      references.push(new WeakRef(frame.contentDocument as Document), new WeakRef(context));
      await document.modelContext.getTools();
      frame.remove();
    };
    for (let index = 0; index < 20; index++) await openAndRemove();
    expect(await survivors(references)).to.equal(0);
  });

  it('the polyfill is collected after the signal of apply has aborted', async () => {
    const controller = new AbortController();
    apply({ signal: controller.signal });
    const references = [...(await registerMany(100, new AbortController().signal)), new WeakRef(document.modelContext)];
    controller.abort();
    expect(await survivors(references)).to.equal(0);
  });
});
