import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'vitest';
import { serve } from '@hono/node-server';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { openSite, type Recorded, type Site } from './recording.js';

export { manifest, manifestOf, manifestOfPages, page } from './mcp-shop-manifest.js';

/** The part of a test context that registers cleanup functions. */
export type Cleaning = Pick<TestContext, 'onTestFinished'>;

const routes: Readonly<Record<string, (response: ServerResponse, request: Recorded) => unknown>> = {
  '/search': (response, { url }) =>
    response.end(JSON.stringify({ found: new URLSearchParams(url.split('?')[1]).get('q') })),
  '/order': (response, { body }) =>
    response.writeHead(body.includes('goods=none') ? 409 : 200).end(JSON.stringify({ body })),
  '/log-in': (response, { body }) => response.setHeader('set-cookie', body.replace('&', '; ')).end('{}'),
  '/me': (response, { headers }) => response.end(JSON.stringify({ cookie: headers.cookie ?? null })),
  '/wait': () => undefined,
  '/fail': (response) => response.writeHead(500).end('{}'),
};

/** Opens the shop on loopback. */
export async function openShop(t: Cleaning): Promise<Site> {
  const site = await openSite((request, response) => {
    response.setHeader('content-type', 'application/json');
    const [path = ''] = request.url.split('?');
    return (routes[path] ?? ((other) => other.writeHead(404).end()))(response, request);
  });
  t.onTestFinished(site.close);
  return site;
}

/** Serves a handler on loopback. */
export async function openGateway(t: Cleaning, handle: (request: Request) => Promise<Response>): Promise<string> {
  const server = serve({ fetch: handle, port: 0, hostname: '127.0.0.1' });
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  t.onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** The official client, connected over HTTP. */
export async function connect(t: Cleaning, url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  t.onTestFinished(() => client.close());
  return client;
}

export const callOf = async (
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
): Promise<CallToolResult> => (await client.callTool({ name, arguments: input })) as CallToolResult;

export const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
