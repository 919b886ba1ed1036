import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { createMcpHandler, type McpHandlerOptions } from '../../../gateway/src/mcp/handler.js';
import { Downloads } from '../../../gateway/src/mcp/downloads.js';
import { connectNew, httpTo, modes } from '../../support/gateway/mcp-clients.js';
import { manifestOf, openGateway } from '../../support/gateway/mcp-shop.js';
import { openSite } from '../../support/gateway/recording.js';

const pdf = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0x00, 0xff, 0xfe, 0x0a]);
const secret = 'operators-secret-9';
const csv = `name;token\r\nTee grün;${secret}\r\n`;

const files: Readonly<Record<string, readonly [type: string, disposition: string, body: Buffer | string]>> = {
  '/report': ['application/pdf', "attachment; filename=report.pdf; filename*=UTF-8''Bericht%20M%C3%A4rz.pdf", pdf],
  '/export': ['text/csv; charset=utf-8', 'attachment; filename="../../etc/orders.csv"', csv],
  '/image': ['image/png', 'inline', pdf],
  '/leak': ['application/octet-stream', 'attachment', `\0\xff${secret}`],
  '/page': ['text/html', 'inline', '<main>Tea</main>'],
  '/error': ['application/pdf', 'attachment', pdf],
};

const html = Object.keys(files)
  .map((path) => `<form toolname=${path.slice(1)} tooldescription="A file." toolautosubmit action=${path}></form>`)
  .join('');

async function open(t: TestContext, options: Partial<McpHandlerOptions> = {}) {
  const site = await openSite(({ url }, response) => {
    const [type = '', disposition = '', body = ''] = files[url.split('?')[0] ?? ''] ?? [];
    const status = url.startsWith('/error') ? 404 : 200;
    response.writeHead(status, { 'content-type': type, 'content-disposition': disposition }).end(body);
  });
  t.onTestFinished(site.close);
  const config = { headers: { 'x-token': secret } };
  const settings = { baseUrl: site.origin, allowPrivateAddresses: true, config, ...options };
  return { url: await openGateway(t, createMcpHandler(manifestOf(html), settings)), site };
}

const linkOf = ({ content }: CallToolResult) => content.find((block) => block.type === 'resource_link');
const call = async (client: Client, name: string): Promise<CallToolResult> =>
  await client.callTool({ name, arguments: {} });

for (const [name, mode] of Object.entries({
  '2026-07-28': modes['pinned to 2026-07-28'],
  '2025-11-25': 'legacy',
} as const)) {
  describe(`an answer that is a file, for a client of ${name}`, () => {
    it('is a link with the name, the type and the size, which the client can read', async (t) => {
      const client = await connectNew(t, httpTo((await open(t)).url), mode);
      const result = await call(client, 'report');
      const { uri = '', ...link } = linkOf(result) ?? {};
      assert.deepEqual(link, {
        type: 'resource_link',
        name: 'Bericht März.pdf',
        mimeType: 'application/pdf',
        size: pdf.length,
      });
      assert.match(uri, /^download:\/\/\/[\w-]{43}\/Bericht%20M%C3%A4rz\.pdf$/);
      const { contents } = await client.readResource({ uri });
      assert.deepEqual(contents, [{ uri, mimeType: 'application/pdf', blob: pdf.toString('base64') }]);
    });

    it('is not quoted in the result if it is an attachment, and hides secrets in its text', async (t) => {
      const client = await connectNew(t, httpTo((await open(t)).url), mode);
      const result = await call(client, 'export');
      assert.doesNotMatch(JSON.stringify(result), /Tee grün|operators-secret/);
      const { uri = '', name: file } = linkOf(result) ?? {};
      assert.equal(file, 'orders.csv');
      const { contents } = await client.readResource({ uri });
      assert.deepEqual(contents, [{ uri, mimeType: 'text/csv', text: 'name;token\r\nTee grün;[hidden]\r\n' }]);
    });

    it('cannot be read by other sessions or by another URI', async (t) => {
      const client = ({ headers }: Request): string => headers.get('authorization') ?? '';
      const { url } = await open(t, { client });
      const [ann, bob] = [await connectNew(t, httpTo(url, 'ann'), mode), await connectNew(t, httpTo(url, 'bob'), mode)];
      const { uri = '' } = linkOf(await call(ann, 'report')) ?? {};
      await assert.rejects(bob.readResource({ uri }), { code: -32602 });
      await assert.rejects(ann.readResource({ uri: uri.replace(/[\w-]{43}/, 'a'.repeat(43)) }));
      assert.equal((await ann.readResource({ uri })).contents.length, 1);
      assert.deepEqual((await ann.listResources()).resources, []);
    });

    it('is a link with its media type, but an error, a page or a file with an unhideable secret is not', async (t) => {
      const client = await connectNew(t, httpTo((await open(t)).url), mode);
      assert.equal(linkOf(await call(client, 'image'))?.mimeType, 'image/png');
      for (const other of ['leak', 'page', 'error']) assert.equal(linkOf(await call(client, other)), undefined, other);
    });
  });
}

describe('Downloads', () => {
  const fileOf = (size: number) => ({ name: 'a', mediaType: 'image/png', bytes: new Uint8Array(size) });

  it('removes the oldest files of a client with too many bytes, and the oldest of all if there are too many in total', () => {
    const downloads = new Downloads();
    const add = (key: string, size = 5_000_000): string =>
      downloads.add(fileOf(size), { owner: key, rateLimitKey: key });
    const first = add('ann');
    const own = [add('bob'), add('bob'), add('bob'), add('bob')];
    assert.throws(() => downloads.read(own[0] ?? '', 'bob'));
    assert.ok(downloads.read(own[3] ?? '', 'bob') && downloads.read(first, 'ann'));
    for (let count = 0; count < 12; count++) add(`client ${count}`);
    assert.throws(() => downloads.read(first, 'ann'));
  });
});
