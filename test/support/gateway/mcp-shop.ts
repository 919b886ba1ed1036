import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'vitest';
import { serve } from '@hono/node-server';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { compileHtml } from '../../../src/site/compile-html.js';
import { createManifest } from '../../../src/site/manifest/manifest.js';
import type { GatewayManifest } from '../../../gateway/src/manifest.js';
import { openSite, type Recorded, type Site } from './recording.js';

/** The page of a shop. */
export const page = `<!doctype html><title>Shop</title>
<form toolname=search tooltitle="Search" tooldescription="Finds goods." toolautosubmit action=/search>
  <input name=q required maxlength=20></form>
<form toolname=order tooldescription="Orders goods." method=post action=/order>
  <input name=goods required><input name=count type=number min=1 max=9 value=1></form>
<form toolname=log-in tooldescription="Logs in." toolautosubmit method=post action=/log-in><input name=user required></form>
<form toolname=who-am-i tooldescription="Says who is logged in." toolautosubmit action=/me></form>
<form toolname=wait tooldescription="Takes forever." toolautosubmit action=/wait></form>
<form toolname=fail tooldescription="Fails." toolautosubmit action=/fail></form>`;

/** The part of a test context that registers cleanup functions. */
export type Cleaning = Pick<TestContext, 'onTestFinished'>;

export const manifestOf = (html: string, version = '1.0.0'): GatewayManifest => manifestOfPages([html], version);

export function manifestOfPages(pages: readonly string[], version = '1.0.0'): GatewayManifest {
  const about = { name: 'shop', description: 'A shop that sells tea.', version, profile: 'precise' } as const;
  const compiled = pages.map((html, index) =>
    compileHtml(html, { path: index === 0 ? 'index.html' : `${index}.html` }),
  );
  return JSON.parse(JSON.stringify(createManifest(compiled, about))) as GatewayManifest;
}

export const manifest = manifestOf(page);

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
