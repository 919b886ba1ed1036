import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { TestContext } from 'vitest';
import { serve } from '@hono/node-server';
import { compileHtml } from '../../../src/site/compile-html.js';
import type { JsonValue } from '../../../src/json-schema.js';
import type { ToolAnswer } from '../../../src/webtool-client/index.js';
import type { GatewayEvent } from '../../../gateway/src/settings.js';
import type { GatewayManifest, ManifestJson, LiveManifest } from '../../../gateway/src/manifest.js';
import { createGateway, type WebtoolOptions } from '../../../gateway/src/webtools/handler.js';
import { patient } from './calls.js';
import { openSite, type Recorded, type Site } from './recording.js';

export const page = `<!doctype html><title>Shop</title>
<form toolname=search tooltitle=Search tooldescription="Finds goods." toolautosubmit action=/search>
  <input name=q required maxlength=20><input name=count type=number min=1 max=9></form>
<form toolname=order tooldescription="Orders goods." method=post action=/order>
  <input name=goods required><input type=hidden name=token value=OLD></form>
<form toolname=note tooldescription="Leaves a note." method=post action=/note enctype=multipart/form-data>
  <input name=text></form>
<form toolname=upload tooldescription="Takes a file." method=post action=/note enctype=multipart/form-data>
  <input name=file type=file></form>`;

export const manifestOf = (html: string, version = '1.0.0'): GatewayManifest =>
  JSON.parse(
    JSON.stringify({
      name: 'shop',
      description: 'Sells tea.',
      version,
      pages: [compileHtml(html, { path: 'index.html' })],
    }),
  ) as GatewayManifest;

export const manifest = manifestOf(page);

export type Answering = (response: ServerResponse, request: Recorded) => unknown;

/** Responds with the shop's page, or with the received request. */
export const echo: Answering = (response, { method, url, body, headers }) => {
  const isPage = method === 'GET' && url === '/';
  response.setHeader('content-type', isPage ? 'text/html' : 'application/json');
  response.end(isPage ? page : JSON.stringify({ method, url, body, cookie: headers.cookie ?? null }));
};

/** A gateway and the site behind it. */
export interface Served {
  readonly site: Site;
  readonly url: string;
  readonly events: GatewayEvent[];
  readonly handle: (request: Request) => Promise<Response>;
}

/** Serves a webtool over HTTP, in front of a site with the given responses. */
export async function serveWebtool(
  t: Pick<TestContext, 'onTestFinished'>,
  options: Partial<WebtoolOptions> & {
    readonly manifest?: ManifestJson | LiveManifest;
    readonly answering?: Answering;
  } = {},
): Promise<Served> {
  const { manifest: served = manifest, answering = echo, ...others } = options;
  const site = await openSite((request, response) => answering(response, request));
  t.onTestFinished(site.close);
  const events: GatewayEvent[] = [];
  const handle = createGateway(served, {
    baseUrl: site.origin,
    allowPrivateAddresses: true,
    limits: patient,
    onEvent: (event) => events.push(event),
    ...others,
  });
  return { site, url: await openServer(t, handle), events, handle };
}

/** Serves a handler on loopback. */
export async function openServer(
  t: Pick<TestContext, 'onTestFinished'>,
  handle: (request: Request) => Response | Promise<Response>,
): Promise<string> {
  const server = serve({ fetch: handle, port: 0, hostname: '127.0.0.1' });
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  t.onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

export interface Envelope {
  readonly status: 'ok' | 'error';
  /** The answer, or the values of a form. */
  readonly data?: ToolAnswer & { readonly values?: Readonly<Record<string, JsonValue>> };
  readonly warning?: { readonly code: string; readonly message: string };
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly parameters?: readonly { readonly parameter: string; readonly code: string; readonly message: string }[];
  };
}

/** The checked JSON of a response. */
export async function envelopeOf(response: Response): Promise<Envelope> {
  assert.equal(response.headers.get('content-type'), 'application/json');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  return (await response.json()) as Envelope;
}

/** Posts a string, or another value as JSON. */
export const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The message of a checked error response. */
export async function refusalOf(response: Promise<Response>, status: number, code: string): Promise<string> {
  const answer = await response;
  const { status: outcome, error, ...others } = await envelopeOf(answer);
  assert.deepEqual([answer.status, outcome, error?.code, others], [status, 'error', code, {}], error?.message);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.match(error?.message ?? '', /^[A-Z"].+\.$/s);
  return error?.message ?? '';
}

/** Sends raw bytes and resolves with the raw response. */
export async function sendRaw(url: string, ...pieces: readonly (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => {
      resolve();
    });
  });
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => chunks.push(chunk));
  for (const piece of pieces) socket.write(piece);
  await ended;
  return Buffer.concat(chunks).toString();
}
