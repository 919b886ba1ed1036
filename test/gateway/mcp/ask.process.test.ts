import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, type McpHandlerOptions } from '../../../gateway/src/mcp/handler.js';
import { connectNew, httpTo, modes, stdioTo } from '../../support/gateway/mcp-clients.js';
import { manifest, openGateway, openShop } from '../../support/gateway/mcp-shop.js';
import { builtPath } from '../../support/processes.js';

interface Asked {
  readonly message: string;
  readonly requestedSchema: { readonly properties: object; readonly required?: readonly string[] };
}

interface Answer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string | number | boolean | string[]>;
}

/** Answers a question as a person. */
type Person = (asked: Asked) => Answer;

type Call = (name: string, input: object) => Promise<CallToolResult>;

/** Connects a client whose questions the person answers, and returns a function that calls its tools. */
type Connect = (t: TestContext, person: Person, origin: string) => Promise<Call>;

const capabilities = { elicitation: { form: {} } };

const serve = async (t: TestContext, origin: string, options: Partial<McpHandlerOptions> = {}): Promise<string> =>
  await openGateway(t, createMcpHandler(manifest, { baseUrl: origin, allowPrivateAddresses: true, ...options }));

const newClient =
  (mode: (typeof modes)[keyof typeof modes], isHttp: boolean): Connect =>
  async (t, person, origin) => {
    const transport = isHttp ? httpTo(await serve(t, origin)) : stdioTo(origin);
    const client = await connectNew(t, transport, mode, { capabilities }, (connecting) => {
      connecting.setRequestHandler('elicitation/create', ({ params }) => ({ ...person(params as Asked) }));
    });
    return async (name, input) => await client.callTool({ name, arguments: input as Record<string, unknown> });
  };

const oldClient =
  (isHttp: boolean): Connect =>
  async (t, person, origin) => {
    const client = new OldClient({ name: 'test', version: '1' }, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ ...person(params as Asked) }));
    const args = [builtPath('scripts/mcp-stdio'), origin];
    await client.connect(
      isHttp ? new OldHttp(new URL(await serve(t, origin))) : new OldStdio({ command: process.execPath, args }),
    );
    t.onTestFinished(() => client.close());
    return async (name, input) =>
      (await client.callTool({ name, arguments: input as Record<string, unknown> })) as CallToolResult;
  };

const clients: Readonly<Record<string, Connect>> = {
  'version 2 of the client, pinned to 2026-07-28, over HTTP': newClient({ pin: '2026-07-28' }, true),
  'version 2 of the client, pinned to 2026-07-28, over stdio': newClient({ pin: '2026-07-28' }, false),
  'version 2 of the client, with initialize, over HTTP': newClient('legacy', true),
  'version 1 of the client over HTTP': oldClient(true),
  'version 1 of the client over stdio': oldClient(false),
};

for (const [name, connect] of Object.entries(clients)) {
  describe(`a person who is asked by ${name}`, () => {
    it('enters the missing values and confirms the submission', async (t) => {
      const site = await openShop(t);
      const questions: Asked[] = [];
      const call = await connect(
        t,
        (asked) => {
          questions.push(asked);
          assert.deepEqual(site.requests, []);
          return { action: 'accept', content: questions.length === 1 ? { goods: 'green tea' } : { send: true } };
        },
        site.origin,
      );
      const result = await call('order', { count: 2 });
      assert.deepEqual((result.structuredContent as { json: unknown }).json, { body: 'goods=green+tea&count=2' });
      const [values, confirmation] = questions;
      assert.match(values?.message ?? '', /^"order" on http:\/\/127\.0\.0\.1:\d+\/ needs values that only you know\.$/);
      assert.deepEqual(Object.keys(values?.requestedSchema.properties ?? {}), ['goods']);
      assert.match(
        confirmation?.message ?? '',
        /sends this to http:\/\/127\.0\.0\.1:\d+\/:\n"goods": "green tea"\n"count": 2$/,
      );
      assert.equal(questions.length, 2);
      assert.equal(site.requests.length, 1);
    });

    it('declines, and nothing is sent', async (t) => {
      const site = await openShop(t);
      for (const answer of [
        { action: 'decline' },
        { action: 'cancel' },
        { action: 'accept', content: { send: false } },
      ]) {
        const call = await connect(t, () => answer as Answer, site.origin);
        const result = await call('order', { goods: 'tea' });
        assert.equal(result.isError, true);
        assert.match(JSON.stringify(result.content), /DECLINED: The person did not agree\. Nothing was sent\./);
      }
      assert.deepEqual(site.requests, []);
    });

    it('is not asked for values that the model can correct, nor before forms with toolautosubmit', async (t) => {
      const site = await openShop(t);
      const call = await connect(t, () => assert.fail('a question'), site.origin);
      assert.match(JSON.stringify(await call('order', { count: 10 })), /SCHEMA_ERROR: .*goods.*count/);
      assert.deepEqual(site.requests, []);
      await call('search', { q: 'tea' });
      assert.equal(site.requests.length, 1);
    });
  });
}
