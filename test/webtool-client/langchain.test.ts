import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it } from 'vitest';
import { ToolMessage } from '@langchain/core/messages';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import type { DynamicStructuredTool } from '@langchain/core/tools';
import { connectWebtool, type ConnectedWebtool } from '../../src/webtool-client/index.js';
import { langChainTools } from '../../src/webtool-client/langchain.js';
import { failureOf, metadataWith, markedOf, orderAction, searchAction, secret, withWebtool } from './client-server.js';
import { manifestOf, serveWebtool } from '../support/gateway/webtool-site.js';

const toolOf = (webtool: ConnectedWebtool, name: string): DynamicStructuredTool =>
  langChainTools(webtool).find((tool) => tool.name === name) as DynamicStructuredTool;

/** Invokes a tool with a model's tool call. */
async function callTool(tool: DynamicStructuredTool, args: object, signal?: AbortSignal): Promise<ToolMessage> {
  const call = { type: 'tool_call' as const, id: 'call-1', name: tool.name, args: args as Record<string, unknown> };
  const message: unknown = await tool.invoke(call, signal ? { signal } : {});
  assert.ok(message instanceof ToolMessage, inspect(message));
  assert.deepEqual([message.tool_call_id, message.name], ['call-1', tool.name]);
  return message;
}

describe('langChainTools', () => {
  it('lets a model correct its input and read the response', async (t) => {
    const html = '<form toolname=link tooldescription="Keeps a link." action=/link><input type=url name=link required>';
    const { url, site } = await serveWebtool(t, { manifest: manifestOf(`<!doctype html>${html}</form>`) });
    const tool = toolOf(await connectWebtool(url), 'link');
    const rejected = await callTool(tool, { link: 'https://tea.example:99999/' });
    assert.equal(rejected.status, 'error');
    assert.match(rejected.text, /"link"/);
    assert.equal(site.requests.length, 0);
    const accepted = await callTool(tool, { link: 'https://tea.example/' });
    assert.equal(accepted.status, 'success');
    const path = '/link?link=https%3A%2F%2Ftea.example%2F';
    const data = {
      status: 200,
      url: site.origin + path,
      contentType: 'application/json',
      json: { method: 'GET', url: path, body: '', cookie: null },
    };
    assert.deepEqual(JSON.parse(accepted.text), data);
    assert.deepEqual(accepted.artifact, data);
  });

  it('exposes names, descriptions and schemas, and no configuration', async () => {
    await withWebtool({ config: { key: secret }, sessionId: secret }, async (webtool, { calls }) => {
      const tools = langChainTools(webtool);
      assert.deepEqual(
        tools.map((tool) => convertToOpenAITool(tool)),
        [searchAction, orderAction].map(({ name, description, requestSchema: parameters, readOnly }) => ({
          type: 'function',
          function: { name, description: markedOf(description, webtool, readOnly), parameters },
        })),
      );
      assert.deepEqual(tools[1]?.metadata, { readOnly: false, consequential: true, origin: webtool.origin });
      const message = await callTool(toolOf(webtool, 'order'), {});
      assert.doesNotMatch(inspect([tools, message], { depth: Infinity }), new RegExp(secret));
      assert.deepEqual(calls[0]?.['config'], { key: secret });
    });
  });

  it('returns any data as text with an artifact', async () => {
    const data: unknown[] = ['text', null, 7, [{ type: 'text', text: 'a' }]];
    const queue = [...data];
    await withWebtool({ run: () => queue.shift() }, async (webtool) => {
      for (const each of data) {
        const message = await callTool(toolOf(webtool, 'order'), {});
        assert.equal(message.content, typeof each === 'string' ? each : JSON.stringify(each));
        assert.deepEqual(message.artifact, each);
      }
    });
  });

  it('throws an error if it is invoked directly, and returns an error message to a tool call', async () => {
    await withWebtool({ run: (_, response) => response.destroy() }, async (webtool) => {
      await failureOf(toolOf(webtool, 'order').invoke({}), 'WEBTOOL_UNREACHABLE');
      assert.equal((await callTool(toolOf(webtool, 'order'), {})).status, 'error');
    });
  });

  it('reports input errors that LangChain detects', async () => {
    await withWebtool({}, async (webtool, { calls }) => {
      await assert.rejects(
        callTool(toolOf(webtool, 'search'), { q: 1 }),
        /did not match expected schema\nDetails: .*q/s,
      );
      assert.equal(calls.length, 0);
    });
  });

  it('removes only unbounded keywords from a schema', async () => {
    const text = { type: 'string', description: 'A text.', enum: ['a', 'b'] };
    const properties = {
      ...{ pattern: { ...text, pattern: '^(a+)+$' }, $ref: text, enum: { $ref: '#' } },
      list: { type: 'array', items: { anyOf: [{ pattern: '^(a+)+$' }, { const: { pattern: 'x', $ref: 'y' } }] } },
    };
    const requestSchema = JSON.parse(
      JSON.stringify({
        ...{
          type: 'object',
          properties,
          patternProperties: { '^(a+)+$': false },
          propertyNames: { pattern: '^(a+)+$' },
        },
        ...{ $ref: '#', $dynamicRef: '#', required: ['pattern'] },
      }).replace('"list"', '"__proto__":{"pattern":"^(a+)+$","polluted":1},"list"'),
    ) as object;
    const action = { ...orderAction, requestSchema };
    await withWebtool({ metadata: metadataWith({ actions: [action] }) }, async (webtool, { calls }) => {
      const tool = toolOf(webtool, 'order');
      assert.equal(
        JSON.stringify(tool.schema),
        JSON.stringify({
          type: 'object',
          properties: {
            ...{ pattern: text, $ref: text, enum: {} },
            ['__proto__']: { polluted: 1 },
            list: { type: 'array', items: { anyOf: [{}, { const: { pattern: 'x', $ref: 'y' } }] } },
          },
          ...{ propertyNames: {}, required: ['pattern'] },
        }),
      );
      const input = { pattern: 'a', list: [`${'a'.repeat(40)}!`], [`${'a'.repeat(40)}!`]: 1, enum: { enum: {} } };
      assert.equal((await callTool(tool, input)).status, 'success');
      assert.deepEqual(calls[0]?.['request'], input);
    });
  });

  it('aborts a call with the signal of the run', async () => {
    await withWebtool({ run: () => new Promise(() => undefined) }, async (webtool) => {
      const call = callTool(toolOf(webtool, 'order'), {}, AbortSignal.timeout(50));
      await assert.rejects(call, { name: 'TimeoutError' });
    });
  });

  it('assigns unique names with the prefix', async () => {
    const actions = ['a.b', 'a_b', '__proto__'].map((name) => ({ ...orderAction, name }));
    await withWebtool({ metadata: metadataWith({ actions }) }, async (webtool, { calls }) => {
      const tools = langChainTools(webtool, { prefix: 'shop_' });
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['shop_a_b_2', 'shop_a_b', 'shop___proto__'],
      );
      for (const tool of tools) await callTool(tool, {});
      assert.deepEqual(
        calls.map((call) => call['action']),
        ['a.b', 'a_b', '__proto__'],
      );
    });
  });
});
