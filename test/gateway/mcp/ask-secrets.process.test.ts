import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler } from '../../../gateway/src/mcp/handler.js';
import type { GatewayEvent } from '../../../gateway/src/settings.js';
import { connectNew, modes, stdioTo, type Mode } from '../../support/gateway/mcp-clients.js';
import { manifest, openGateway, openShop } from '../../support/gateway/mcp-shop.js';
import { SecretPage } from '../../support/gateway/secret-page.js';

const pin = 'correct-horse-7';
const capabilities = { elicitation: { form: {}, url: {} } };

/** All bytes that a client sends and receives. */
class Traffic {
  text = '';
  readonly fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    this.text += `${String(url)} ${typeof init?.body === 'string' ? init.body : ''}\n`;
    const response = await fetch(url, init);
    const [kept, passed] = response.body?.tee() ?? [];
    this.#read(kept).catch(() => undefined); // the client ends streams
    return new Response(passed ?? null, response);
  };

  async #read(stream: ReadableStream<Uint8Array> | undefined): Promise<void> {
    const decoder = new TextDecoder();
    const reader = stream?.getReader();
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      this.text += decoder.decode(chunk.value, { stream: true });
    }
  }
}

interface Asked {
  readonly mode?: string;
  readonly message: string;
  readonly url?: string;
  readonly requestedSchema?: { readonly properties: object };
}

/** Records the questions to a person in order, and answers them. The page is filled in after the client has answered. */
function personOf(asked: Asked[], pages: Promise<SecretPage>[]) {
  return (question: Asked) => {
    asked.push(question);
    if (question.mode === 'url') {
      pages.push(new SecretPage(question.url ?? '').open().then((page) => page.send([pin])));
      return { action: 'accept' as const };
    }
    const names = Object.keys(question.requestedSchema?.properties ?? {});
    const content: Record<string, string | boolean> = names.includes('send') ? { send: true } : { goods: 'tea' };
    return { action: 'accept' as const, content };
  };
}

async function openHttp(t: TestContext, origin: string) {
  const traffic = new Traffic();
  const events: GatewayEvent[] = [];
  let url = '';
  const handle = createMcpHandler(manifest, {
    baseUrl: origin,
    allowPrivateAddresses: true,
    onEvent: (event) => events.push(event),
    publicUrl: () => url,
  });
  url = await openGateway(t, handle);
  return { traffic, events, transport: new StreamableHTTPClientTransport(new URL(url), { fetch: traffic.fetch }) };
}

const versions: Readonly<Record<string, Mode>> = {
  '2026-07-28': modes['pinned to 2026-07-28'],
  '2025-11-25': 'legacy',
};

for (const [version, mode] of Object.entries(versions)) {
  describe(`a client of ${version} whose user types a secret`, () => {
    it('sends the value that was missing, the confirmation and the password to the site, and never sees the password', async (t) => {
      const site = await openShop(t);
      const { traffic, events, transport } = await openHttp(t, site.origin);
      const [asked, pages]: [Asked[], Promise<SecretPage>[]] = [[], []];
      const client = await connectNew(t, transport, mode, { capabilities }, (connecting) => {
        connecting.setRequestHandler('elicitation/create', ({ params }) => personOf(asked, pages)(params as Asked));
      });
      assert.ok((await client.listTools()).tools.some(({ name }) => name === 'settle'));
      const result = await client.callTool({ name: 'settle', arguments: {} });
      const [page] = await Promise.all(pages);
      assert.equal(page?.status, 200);
      assert.match(page.html, /Thank you/);
      assert.deepEqual(
        asked.map(({ mode: each = 'form' }) => each),
        ['form', 'form', 'url'],
      );
      assert.match(
        asked[2]?.message ?? '',
        /"settle" on http:\/\/127\S+ needs "PIN of your account", which no assistant may see/,
      );
      assert.deepEqual(
        site.requests.filter(({ method }) => method === 'POST').map(({ body }) => body),
        [`goods=tea&pin=${pin}`],
      );
      assert.match(JSON.stringify(result.structuredContent), /goods=tea&pin=\[hidden\]/);
      await client.close();
      assert.match(traffic.text, /elicitation\/create[^\n]*"mode":"url"/);
      assert.doesNotMatch(traffic.text + JSON.stringify(events) + JSON.stringify(result), /correct-horse/);
    });

    it('causes no request to the site if the user declines on the page', async (t) => {
      const site = await openShop(t);
      const { transport } = await openHttp(t, site.origin);
      const client = await connectNew(
        t,
        transport,
        mode,
        { capabilities: { elicitation: { url: {} } } },
        (connecting) => {
          connecting.setRequestHandler('elicitation/create', async ({ params }) => {
            const page = await new SecretPage((params as Asked).url ?? '').open();
            await page.send([''], { answer: 'decline' });
            return { action: 'accept' };
          });
        },
      );
      const result = await client.callTool({ name: 'settle', arguments: { goods: 'tea' } });
      assert.match(JSON.stringify(result.content), /DECLINED/);
      assert.deepEqual(site.requests, []);
    });

    it('is not offered a tool that requires a secret if it does not support elicitation with URLs', async (t) => {
      const site = await openShop(t);
      const { transport } = await openHttp(t, site.origin);
      const client = await connectNew(t, transport, mode, { capabilities: { elicitation: { form: {} } } });
      assert.ok(!(await client.listTools()).tools.some(({ name }) => name === 'settle'));
      await assert.rejects(
        client.callTool({ name: 'settle', arguments: { goods: 'tea' } }),
        /not served, because its configuration has no value for pin\. A person can send the form on http/,
      );
      assert.deepEqual(site.requests, []);
    });

    it('has a page on this machine over stdio, which exists until the question is answered', async (t) => {
      const site = await openShop(t);
      const [asked, pages]: [Asked[], Promise<SecretPage>[]] = [[], []];
      const client = await connectNew(t, stdioTo(site.origin), mode, { capabilities }, (connecting) => {
        connecting.setRequestHandler('elicitation/create', ({ params }) => personOf(asked, pages)(params as Asked));
      });
      const result = await client.callTool({ name: 'settle', arguments: { goods: 'tea' } });
      await Promise.all(pages);
      assert.match(JSON.stringify(result.structuredContent), /goods=tea&pin=\[hidden\]/);
      assert.equal(site.requests.at(-1)?.body, `goods=tea&pin=${pin}`);
      const url = asked.at(-1)?.url ?? '';
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/ask\//);
      await assert.rejects(fetch(url));
    });
  });
}
