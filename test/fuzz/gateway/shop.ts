import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { serve } from '../../../gateway/src/node/index.js';
import type { GatewayEvent } from '../../../gateway/src/settings.js';
import { compileHtml } from '../../../src/site/compile-html.js';
import { createManifest } from '../../../src/site/manifest/manifest.js';

/** The value that the site expects back, which no answer may contain. */
export const token = 'S3CRET-token-of-the-page';

export const shopPage = `<!doctype html><title>Shop</title>
<form toolname=search tooltitle=Search tooldescription="Finds goods." toolautosubmit action=/search>
  <input name=q required maxlength=20><input name=count type=number min=1 max=9></form>
<form toolname=order tooldescription="Orders goods." method=post action=/order>
  <input name=goods required pattern="[a-z]+"><input type=email name=mail multiple><input type=date name=day min=2024-01-01>
  <select name=size><option>S<option>M<option disabled>L</select><input type=checkbox name=extra value=x>
  <input type=checkbox name=extra value=y><input type=hidden name=token value="${token}"></form>
<form toolname=note tooldescription="Leaves a note." method=post action=/note enctype=multipart/form-data>
  <textarea name=text maxlength=100></textarea><input name=file type=file></form>
<form toolname=plain tooldescription="Sends text." method=post action=/plain enctype=text/plain>
  <input name=__proto__><input name=a type=range><input name=a type=color><button name=go value=1>Go</button></form>`;

export interface SiteRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

type Respond = (request: SiteRequest, response: ServerResponse) => void;

/** A gateway over HTTP and the site behind it. */
export interface Shop {
  readonly port: number;
  /** The requests since the last case. */
  readonly requests: SiteRequest[];
  readonly events: GatewayEvent[];
  /** The responses of the site. */
  respond: Respond;
  close(): Promise<void>;
}

export const respondWithShop: Respond = ({ method, url, body }, response) => {
  const isPage = method === 'GET' && url === '/';
  response.setHeader('content-type', isPage ? 'text/html' : 'application/json');
  response.end(isPage ? shopPage : JSON.stringify({ method, url, body }));
};

export async function openShop(): Promise<Shop> {
  const controller = new AbortController();
  const [requests, events]: [SiteRequest[], GatewayEvent[]] = [[], []];
  const site = createServer((incoming, response) => void answer(incoming, response));
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const request = { method: incoming.method ?? '', url: incoming.url ?? '', body };
    requests.push(request);
    shop.respond(request, response);
  };
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const pages = [compileHtml(shopPage, { path: 'index.html' })];
  const manifest = createManifest(pages, {
    name: 'shop',
    description: 'Sells tea.',
    version: '1.0.0',
    profile: 'precise',
  });
  const { url, closed } = await serve(manifest, {
    baseUrl: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    allowPrivateAddresses: true,
    port: 0,
    maxRequestBytes: 100_000,
    limits: { milliseconds: 5000 },
    onEvent: (event) => events.push(event),
    signal: controller.signal,
  });
  const close = async (): Promise<void> => {
    controller.abort();
    site.closeAllConnections();
    site.close();
    await closed;
  };
  const shop: Shop = { port: Number(new URL(url).port), requests, events, respond: respondWithShop, close };
  return shop;
}

/** The error codes that the documentation lists. */
export const listedCodes: ReadonlySet<string> = new Set(
  [
    ...['webtools', 'questions'].flatMap((page) => [
      ...readFileSync(new URL(`../../../docs/reference/gateway/${page}.md`, import.meta.url), 'utf8').matchAll(
        /`([A-Z]+(?:_[A-Z]+)*)`/g,
      ),
    ]),
  ]
    .map(([, code]) => code as string)
    .filter((code) => code !== 'INTERNAL_ERROR'),
);
