import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import type { HostedTool, RunTool, ToolHost } from '../../src/webmcp.js';
import { isNative, rejectionOf, toolIn } from '../support/polyfill/frame.js';
import { deferred, valid } from '../support/polyfill/page.js';

const host = apply() as ToolHost;
const definition = (name: string, description = ''): HostedTool => ({
  name,
  description,
  title: '',
  inputSchema: { type: 'object', properties: {}, required: [] },
});
const answer: RunTool = () => Promise.resolve('answer');
const names = async () => (await document.modelContext.getTools()).map(({ name }) => name);
const call = async (name: string, input = {}) => document.modelContext.executeTool(await toolIn(document, name), input);

/** The number of toolchange events during an action and the following tasks. */
async function changes(action: () => void): Promise<number> {
  let count = 0;
  const listener = () => count++;
  document.modelContext.addEventListener('toolchange', listener);
  action();
  for (let round = 0; round < 3; round++) await document.modelContext.getTools();
  document.modelContext.removeEventListener('toolchange', listener);
  return count;
}

(isNative ? describe.skip : describe)('the tool host for live forms', () => {
  afterEach(() => ['a', 'b', 'c'].forEach((name) => host.remove(name)));

  it('the host accepts a tool with an empty description', async () => {
    host.add(definition('a'), answer);
    const { description, inputSchema, title } = await toolIn(document, 'a');
    expect({ description, inputSchema, title }).to.deep.equal({
      description: '',
      title: '',
      inputSchema: { type: 'object', properties: {}, required: [] },
    });
  });

  it('the host passes the input and a signal to the tool, and its result to the caller unchanged', async () => {
    const seen: unknown[] = [];
    host.add(definition('a'), (input, { signal }) => {
      seen.push(input, signal.aborted);
      return Promise.resolve(null);
    });
    expect(await call('a', { x: 1 })).to.equal(null);
    expect(seen).to.deep.equal([{ x: 1 }, false]);
  });

  it('the host dispatches toolactivated once, when the tool requests it', async () => {
    const events: string[] = [];
    const listener = () => events.push('toolactivated');
    document.modelContext.addEventListener('toolactivated', listener);
    host.add(definition('a'), async (_, { activated }) => {
      await Promise.resolve();
      events.push('filled');
      activated();
      activated();
      events.push('submitted');
      return '';
    });
    expect(await call('a')).to.equal('');
    document.modelContext.removeEventListener('toolactivated', listener);
    expect(events).to.deep.equal(['filled', 'toolactivated', 'submitted']);
  });

  it('the host passes the error of a tool to the caller unchanged', async () => {
    const error = Object.assign(new DOMException('no', 'UnknownError'), { errors: [{ parameter: 'x' }] });
    host.add(definition('a'), () => Promise.reject(error));
    expect(await rejectionOf(call('a'))).to.equal(error);
  });

  it('the host rejects a duplicate name and does not change the existing tool', async () => {
    const controller = new AbortController();
    await document.modelContext.registerTool({ ...valid, name: 'a' }, { signal: controller.signal });
    expect(host.add(definition('a'), answer)).to.equal(false);
    host.remove('a');
    expect(await names()).to.deep.equal(['a']);
    controller.abort();
    expect(host.add(definition('a'), answer)).to.equal(true);
  });

  it('registerTool rejects the name of a hosted tool', async () => {
    host.add(definition('a'), answer);
    const error = await rejectionOf(document.modelContext.registerTool({ ...valid, name: 'a' }));
    expect((error as DOMException).name).to.equal('InvalidStateError');
  });

  it('the host dispatches one toolchange for all changes of one task', async () => {
    expect(
      await changes(() => {
        host.add(definition('a'), answer);
        host.add(definition('b'), answer);
        host.remove('a');
      }),
    ).to.equal(1);
    expect(await changes(() => host.update('b', definition('b', 'new')))).to.equal(1);
    expect(await changes(() => host.update('b', definition('c')))).to.equal(1);
    expect(await names()).to.deep.equal(['c']);
  });

  it('the host runs a renamed tool, and does not rename a tool to a name in use', async () => {
    host.add(definition('a'), answer);
    host.add(definition('b'), answer);
    expect(host.update('a', definition('b'))).to.equal(false);
    expect(host.update('a', definition('c'))).to.equal(true);
    expect(await call('c')).to.equal('answer');
  });

  it('a call continues when its hosted tool is removed', async () => {
    const { promise, resolve } = deferred<string>();
    const begun = deferred<void>();
    host.add(definition('a'), () => {
      begun.resolve();
      return promise;
    });
    const result = call('a');
    await begun.promise;
    host.remove('a');
    resolve('late');
    expect(await result).to.equal('late');
    expect(await names()).to.deep.equal([]);
  });

  it('the host aborts the signal of a canceled call and dispatches toolcancel', async () => {
    const log: string[] = [];
    const begun = deferred<void>();
    const over = new Promise<void>((resolve) => {
      document.modelContext.addEventListener('toolcancel', () => (log.push('toolcancel'), resolve()), { once: true });
    });
    host.add(definition('a'), (_, { signal }) => {
      signal.addEventListener('abort', () => log.push((signal.reason as DOMException).name));
      begun.resolve();
      return new Promise(() => undefined);
    });
    const controller = new AbortController();
    const tool = await toolIn(document, 'a');
    const rejection = rejectionOf(document.modelContext.executeTool(tool, {}, { signal: controller.signal }));
    await begun.promise;
    controller.abort('enough');
    expect(await rejection).to.equal('enough');
    await over;
    expect(log).to.deep.equal(['AbortError', 'toolcancel']);
  });
});
