import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { aiSdkTools } from '../../src/webtool-client/ai-sdk.js';
import { connectWebtool } from '../../src/webtool-client/index.js';
import { markedOf, metadataWith, orderAction, searchAction, secret, withWebtool } from './client-server.js';
import { serveWebtool } from '../support/gateway/webtool-site.js';

type ModelResponse = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

/** The response of a model: a text, or tool calls by name. */
function modelResponse(content: string | Readonly<Record<string, unknown>>): ModelResponse {
  const calls = Object.entries(content).map(([toolName, input], index) => ({
    type: 'tool-call' as const,
    toolCallId: `call-${index}`,
    toolName,
    input: JSON.stringify(input),
  }));
  const isText = typeof content === 'string';
  return {
    content: isText ? [{ type: 'text', text: content }] : calls,
    finishReason: { unified: isText ? 'stop' : 'tool-calls', raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
    warnings: [],
  };
}

const modelOf = (...responses: Parameters<typeof modelResponse>[0][]): MockLanguageModelV4 =>
  new MockLanguageModelV4({ doGenerate: responses.map(modelResponse) });

interface Run {
  readonly text: string;
  readonly steps: readonly { readonly content: readonly { readonly type: string }[] }[];
  readonly content: readonly { readonly type: string }[];
}

const run = async (model: MockLanguageModelV4, tools: ToolSet, signal?: AbortSignal): Promise<Run> =>
  await generateText({
    model,
    tools,
    stopWhen: stepCountIs(5),
    prompt: 'Find tea.',
    ...(signal && { abortSignal: signal }),
  });

/** The last tool result that the model received. */
const lastToolResult = ({ doGenerateCalls }: MockLanguageModelV4): unknown => {
  const message = doGenerateCalls.at(-1)?.prompt.at(-1);
  const [part] = message?.role === 'tool' ? message.content : [];
  return part?.type === 'tool-result' ? part.output : undefined;
};

describe('aiSdkTools', () => {
  it('lets a model correct its input and read the response', async (t) => {
    const { url, site } = await serveWebtool(t);
    const tools = aiSdkTools(await connectWebtool(url));
    const model = modelOf({ search: { count: 90 } }, { search: { q: 'tea', count: 9 } }, 'Found.');
    const { text, steps } = await run(model, tools);
    assert.equal(text, 'Found.');
    const kinds = steps.map(({ content }) => content.map(({ type }) => type).join());
    assert.deepEqual(kinds, ['tool-call,tool-error', 'tool-call,tool-result', 'text']);
    assert.deepEqual(
      site.requests.map(({ method, url: path }) => `${method} ${path}`),
      ['GET /search?q=tea&count=9'],
    );
    const [, correcting] = model.doGenerateCalls;
    const failed = JSON.stringify(correcting?.prompt.at(-1));
    assert.match(failed, /"error-text"/);
    assert.match(failed, /\\"q\\"/);
    assert.match(failed, /\\"count\\"/);
    assert.deepEqual(lastToolResult(model), {
      type: 'json',
      value: {
        status: 200,
        url: `${site.origin}/search?q=tea&count=9`,
        contentType: 'application/json',
        json: { method: 'GET', url: '/search?q=tea&count=9', body: '', cookie: null },
      },
    });
  });

  it('exposes names, descriptions and schemas, and no configuration', async () => {
    await withWebtool({ config: { key: secret }, headers: { 'x-key': secret } }, async (webtool, { calls }) => {
      const model = modelOf({ search: { q: 'tea' } }, 'Found.');
      await run(model, aiSdkTools(webtool));
      assert.deepEqual(calls[0]?.['config'], { key: secret });
      const { tools } = model.doGenerateCalls[0] ?? {};
      assert.deepEqual(
        tools?.map((tool) => tool.type === 'function' && [tool.name, tool.description, tool.inputSchema]),
        [
          ['search', markedOf('Searches the shop.', webtool, true), searchAction.requestSchema],
          ['order', markedOf('Orders what is in the basket.', webtool, false), orderAction.requestSchema],
        ],
      );
      assert.doesNotMatch(JSON.stringify(model.doGenerateCalls), new RegExp(secret));
    });
  });

  it('assigns unique names that models accept', async () => {
    const names = ['a.b', 'a_b', 'a b', 'ä', `${'x'.repeat(70)}1`, `${'x'.repeat(70)}2`, 'constructor', '__proto__'];
    const actions = names.map((name) => ({ ...orderAction, name, requestSchema: {} }));
    await withWebtool({ metadata: metadataWith({ actions }) }, async (webtool, { calls }) => {
      const tools = aiSdkTools(webtool);
      const assigned = Object.keys(tools);
      assert.deepEqual(assigned, [
        'a_b_2',
        'a_b',
        'a_b_3',
        '_',
        'x'.repeat(64),
        `${'x'.repeat(62)}_2`,
        'constructor',
        '__proto__',
      ]);
      const all = assigned.map((name) =>
        modelOf(JSON.parse(`{"${name}":{}}`) as object as Record<string, unknown>, 'Done.'),
      );
      for (const model of all) await run(model, tools);
      assert.deepEqual(
        calls.map((call) => call['action']),
        names,
      );
      const { tools: sent } = all[0]?.doGenerateCalls[0] ?? {};
      const [first] = sent ?? [];
      assert.deepEqual(first?.type === 'function' && first.inputSchema, { type: 'object', properties: {} });
      assert.deepEqual(Object.keys(aiSdkTools(webtool, { prefix: 'shop.' })).slice(0, 2), ['shop_a_b', 'shop_a_b_2']);
    });
  });

  it('aborts a call with the signal of the run', async () => {
    const controller = new AbortController();
    const hang = (): Promise<never> => {
      controller.abort(new DOMException('The run took too long.', 'TimeoutError'));
      return new Promise(() => undefined);
    };
    await withWebtool({ run: hang }, async (webtool, { calls }) => {
      const model = modelOf({ order: {} }, 'Never.');
      const error = await run(model, aiSdkTools(webtool), controller.signal).catch((reason: unknown) => reason);
      assert.equal((error as Error).name, 'TimeoutError');
      assert.equal(calls.length, 1);
      assert.equal(model.doGenerateCalls.length, 1);
    });
  });

  it('requires approval of consequential actions with needsApproval', async () => {
    await withWebtool({}, async (webtool, { calls }) => {
      const { content } = await run(modelOf({ order: {} }), aiSdkTools(webtool, { needsApproval: true }));
      assert.deepEqual(
        content.map(({ type }) => type),
        ['tool-call', 'tool-approval-request'],
      );
      assert.equal(calls.length, 0);
      const tools = aiSdkTools(webtool, { needsApproval: true });
      assert.equal((await run(modelOf({ search: { q: 'tea' } }, 'Found.'), tools)).text, 'Found.');
      assert.equal(calls.length, 1);
    });
  });
});
