import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it } from 'vitest';
import { connectWebtool, type ActionContext, type RegisteredAction } from '../../src/webtool-client/index.js';
import {
  failureOf,
  hashOf,
  markedOf,
  metadataWith,
  orderAction,
  searchAction,
  secret,
  sendJson,
  serveWebtool,
  withWebtool,
} from './client-server.js';

/** A model context with unique names, as in the draft. */
class Context implements ActionContext {
  readonly tools = new Map<string, RegisteredAction>();

  async registerTool(tool: RegisteredAction, { signal }: { readonly signal: AbortSignal }): Promise<undefined> {
    signal.throwIfAborted();
    if (this.tools.has(tool.name)) throw new DOMException('Duplicate tool name', 'InvalidStateError');
    if (tool.description === '') throw new DOMException('Description is required', 'InvalidStateError');
    this.tools.set(tool.name, tool);
    signal.addEventListener('abort', () => this.tools.delete(tool.name), { once: true });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const toolIn = (context: Context, name: string): RegisteredAction => context.tools.get(name) as RegisteredAction;

describe('connectWebtool, with a model context', () => {
  it('registers the actions as tools', async () => {
    const modelContext = new Context();
    await withWebtool({ modelContext }, (webtool) => {
      const { execute, ...search } = toolIn(modelContext, 'search');
      const { host } = new URL(webtool.origin);
      assert.equal(typeof execute, 'function');
      assert.deepEqual(search, {
        name: 'search',
        title: `Search (${host})`,
        description: markedOf('Searches the shop.', webtool, true),
        inputSchema: searchAction.requestSchema,
        annotations: { readOnlyHint: false, consequentialHint: false, untrustedContentHint: true },
      });
      const { title, annotations } = toolIn(modelContext, 'order');
      assert.equal(title, `order (${host})`);
      assert.deepEqual(annotations, { readOnlyHint: false, consequentialHint: true, untrustedContentHint: true });
    });
  });

  it('does not mark the tools of a webtool of the same origin', async () => {
    const server = await serveWebtool(metadataWith());
    Object.assign(globalThis, { origin: server.origin });
    const modelContext = new Context();
    try {
      await connectWebtool(server.origin, { modelContext });
    } finally {
      Reflect.deleteProperty(globalThis, 'origin');
      server.close();
    }
    const { title, description, annotations } = toolIn(modelContext, 'search');
    assert.deepEqual([title, description, annotations.readOnlyHint], ['Search', 'Searches the shop.', true]);
  });

  it('trusts readOnly of a third party only if the hash is pinned', async () => {
    for (const hash of [undefined, hashOf([searchAction, orderAction])]) {
      const modelContext = new Context();
      await withWebtool({ modelContext, ...(hash && { hash }) }, () => {
        assert.equal(toolIn(modelContext, 'search').annotations.readOnlyHint, hash !== undefined);
        assert.equal(toolIn(modelContext, 'order').annotations.consequentialHint, true);
      });
    }
  });

  it('uses the model context of the document by default', async () => {
    const context = new Context();
    class Document {
      readonly baseURI = 'http://127.0.0.1:1/';
      get modelContext(): Context {
        return context;
      }
    }
    const document = Object.defineProperty(new Document(), 'modelContext', { value: 'a form of this name' });
    Object.assign(globalThis, { Document, document });
    try {
      await withWebtool({}, () => assert.deepEqual([...context.tools.keys()], ['search', 'order']));
      context.tools.clear();
      await withWebtool({ modelContext: null }, () => assert.equal(context.tools.size, 0));
      await assert.rejects(connectWebtool('/shop'), /http:\/\/127\.0\.0\.1:1\/shop cannot be reached/);
    } finally {
      Reflect.deleteProperty(globalThis, 'Document');
      Reflect.deleteProperty(globalThis, 'document');
    }
  });

  it('calls the webtool with the configuration, which the tool object does not expose', async () => {
    const modelContext = new Context();
    const config = { authorization: secret };
    const options = { modelContext, config, sessionId: secret, headers: { 'x-key': secret } };
    await withWebtool(options, async (_, { calls }) => {
      const tool = toolIn(modelContext, 'search');
      assert.doesNotMatch(inspect(tool, { depth: Infinity, showHidden: true }), new RegExp(secret));
      assert.deepEqual(await tool.execute({ q: 'tea' }, { signal: new AbortController().signal }), { text: 'done' });
      assert.deepEqual(await tool.execute({ q: 'tea' }), { text: 'done' });
      assert.deepEqual(calls[0]?.['config'], config);
    });
  });

  it('rejects execute with the reason of the webtool or of the signal', async () => {
    const modelContext = new Context();
    const run: Parameters<typeof serveWebtool>[1] = ({ action }, response) =>
      action === 'search'
        ? sendJson(response, { status: 'error', error: { code: 'SCHEMA_ERROR', message: '"q" is missing.' } }, 422)
        : new Promise(() => undefined);
    await withWebtool({ modelContext, run }, async () => {
      const { message } = await failureOf(toolIn(modelContext, 'search').execute({}), 'SCHEMA_ERROR');
      assert.equal(message, '"q" is missing.');
      const signal = AbortSignal.timeout(30);
      await assert.rejects(toolIn(modelContext, 'order').execute({}, { signal }), { name: 'TimeoutError' });
    });
  });

  it('resolves execute with an error result in a native model context', async () => {
    const parameters = [{ parameter: 'q', code: 'missing', message: '"q" is missing.' }];
    const error = { code: 'SCHEMA_ERROR', message: '"q" is missing.', parameters };
    const modelContext = new Context();
    const run: Parameters<typeof serveWebtool>[1] = ({ action }, response) =>
      action === 'search' ? sendJson(response, { status: 'error', error }, 422) : new Promise(() => undefined);
    Object.assign(globalThis, { ModelContext: Context });
    try {
      await withWebtool({ modelContext, run }, async () => {
        const { code, message } = error;
        assert.deepEqual(await toolIn(modelContext, 'search').execute({}), {
          ...{ isError: true, name: 'WebtoolError', code, message, errors: parameters },
        });
        const signal = AbortSignal.timeout(30);
        await assert.rejects(toolIn(modelContext, 'order').execute({}, { signal }), { name: 'TimeoutError' });
        Object.assign(globalThis, { [Symbol.for('webmcp-forms')]: {} });
        await failureOf(toolIn(modelContext, 'search').execute({}), 'SCHEMA_ERROR');
      });
    } finally {
      Reflect.deleteProperty(globalThis, 'ModelContext');
      Reflect.deleteProperty(globalThis, Symbol.for('webmcp-forms'));
    }
  });

  it('unregisters the tools when the signal aborts', async () => {
    const modelContext = new Context();
    const controller = new AbortController();
    await withWebtool({ modelContext, signal: controller.signal }, () => {
      assert.equal(modelContext.tools.size, 2);
      controller.abort();
      assert.equal(modelContext.tools.size, 0);
    });
  });

  it('registers no tool when the signal aborts before or during registration', async () => {
    for (const when of ['before', 'while']) {
      const controller = new AbortController();
      const modelContext = new Context();
      const register = modelContext.registerTool.bind(modelContext);
      modelContext.registerTool = async (...args) => {
        const registering = register(...args);
        controller.abort(new Error('enough'));
        return registering;
      };
      const server = await serveWebtool({
        toJSON() {
          if (when === 'before') controller.abort(new Error('enough'));
          return metadataWith();
        },
      });
      await assert.rejects(connectWebtool(server.origin, { modelContext, signal: controller.signal }), /enough/);
      server.close();
      assert.equal(modelContext.tools.size, 0);
    }
  });

  it('registers no tool when the model context rejects one of them', async () => {
    const modelContext = new Context();
    const existing = { ...orderAction, inputSchema: {} } as unknown as RegisteredAction;
    await modelContext.registerTool(existing, { signal: new AbortController().signal });
    const server = await serveWebtool(metadataWith());
    const { message } = await failureOf(connectWebtool(server.origin, { modelContext }), 'NOT_REGISTERED');
    server.close();
    assert.equal(
      message,
      'The webtool "shop" is not registered: the model context rejects "order" (Duplicate tool name).',
    );
    assert.deepEqual([...modelContext.tools.values()], [existing]);
  });

  it('rejects invalid tool names, but not without a model context', async () => {
    for (const name of ['a b', 'ä', 'a/b', 'a'.repeat(129)]) {
      const metadata = metadataWith({ actions: [searchAction, { ...orderAction, name }] });
      const modelContext = new Context();
      const server = await serveWebtool(metadata);
      const { message } = await failureOf(connectWebtool(server.origin, { modelContext }), 'BAD_NAME');
      server.close();
      assert.ok(message.includes(`The action "${name.slice(0, 128)}`), message);
      assert.match(
        message,
        /A tool name consists of 1 to 128 of the characters A-Z a-z 0-9 _ - and full stop\. To call it without registering it, connect with \{modelContext: null\}/,
      );
      assert.equal(modelContext.tools.size, 0);
      await withWebtool({ metadata }, async (webtool) => void (await webtool.call(name)));
    }
  });

  it('uses the title or the name of an action without description', async () => {
    const modelContext = new Context();
    const actions = [
      { ...searchAction, description: '' },
      { ...orderAction, description: '' },
    ];
    await withWebtool({ modelContext, metadata: metadataWith({ actions }) }, (webtool) => {
      assert.equal(toolIn(modelContext, 'search').description, markedOf('Search', webtool, true));
      assert.equal(toolIn(modelContext, 'order').description, markedOf('order', webtool, false));
    });
  });
});
