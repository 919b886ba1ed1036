import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { edited, edits } from '../generators/edits.js';
import { page as anyPage, pieces } from '../generators/html.js';
import { exchange, bytesOf } from '../gateway/raw-http.js';
import {
  listedCodes,
  openShop,
  respondWithShop,
  shopPage,
  token,
  type Shop,
  type SiteRequest,
} from '../gateway/shop.js';
import { hold, inLanes, type Target } from '../target.js';

/** A response of the site. */
interface SiteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the compression that the headers declare is real. */
  readonly isCompressed: boolean;
}

interface PageCase {
  readonly page: SiteResponse;
  readonly answer: SiteResponse;
  readonly action: 'order' | 'search' | 'note' | 'plain';
}

const laneCount = 4;

const mutated = fc.tuple(fc.constant(shopPage), edits(pieces, 6)).map(([html, changes]) => edited(html, changes));
const html = fc.oneof(
  { weight: 6, arbitrary: mutated },
  { weight: 2, arbitrary: anyPage },
  { weight: 1, arbitrary: fc.constant(shopPage) },
  { weight: 1, arbitrary: anyPage.map((other) => other + shopPage) },
);
const headers = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ 'content-type': 'text/html' }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Record<string, string>[]>(
      {},
      { 'content-type': 'text/html; charset=utf-16le' },
      { 'content-type': 'text/html; charset=shift_jis' },
      { 'content-type': 'text/html; charset=x-user-defined' },
      { 'content-type': 'text/html; charset=nosuch' },
      { 'content-type': 'application/json' },
      { 'content-type': '"' },
      { 'content-type': 'text/html', 'content-encoding': 'gzip' },
      { 'content-type': 'text/html', 'content-encoding': 'br' },
      { 'content-type': 'text/html', 'content-encoding': 'gzip, gzip, gzip' },
      { 'content-type': 'text/html', 'set-cookie': 'a=b; Domain=evil.example' },
      { 'content-type': 'text/html', 'set-cookie': '__Host-a="x"; Path=/; Secure' },
      { 'content-type': 'text/html', 'set-cookie': `a=${'x'.repeat(5000)}` },
      { location: '/elsewhere' },
      { location: 'http://evil.example/' },
      { location: 'javascript:1' },
      { location: '//' },
      { refresh: '0;url=//x' },
    ),
  },
);
const response = fc.record({
  status: fc.oneof(
    { weight: 12, arbitrary: fc.constant(200) },
    {
      weight: 5,
      arbitrary: fc.constantFrom(201, 204, 206, 301, 303, 307, 400, 401, 403, 404, 410, 418, 422, 500, 503, 599),
    },
  ),
  headers,
  body: fc.oneof(
    { weight: 9, arbitrary: html },
    { weight: 2, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.json() },
  ),
  isCompressed: fc.boolean(),
});
const pageCases: fc.Arbitrary<PageCase> = fc.record({
  page: response,
  answer: response,
  action: fc.constantFrom('order', 'order', 'order', 'search', 'note', 'plain'),
});

/** Fresh pages and answers of a hostile site, which the gateway reads during a call. */
export const pages: Target<PageCase> = {
  name: 'pages',
  cases: pageCases,
  batch: 500,
  open: async () => {
    const lanes = await Promise.all(Array.from({ length: laneCount }, openShop));
    return {
      run: (cases, begin) => inLanes(lanes, cases, begin, check),
      close: async () => void (await Promise.all(lanes.map((lane) => lane.close()))),
    };
  },
};

const requestsOf = {
  order: { goods: 'tea' },
  search: { q: 'tea' },
  note: { text: 'x' },
  plain: {},
} as const;

function send({ status, headers, body, isCompressed }: SiteResponse, echo: string, response: ServerResponse): void {
  response.writeHead(status, headers);
  const content = Buffer.from(body + echo);
  response.end(headers['content-encoding'] === 'gzip' && isCompressed ? gzipSync(content) : content);
}

async function check(shop: Shop, { page, answer, action }: PageCase): Promise<void> {
  shop.requests.length = 0;
  shop.events.length = 0;
  shop.respond = (request: SiteRequest, response: ServerResponse): void => {
    const isPage = request.method === 'GET' && request.url === '/';
    if (isPage) send(page, '', response);
    else send(answer, request.body, response);
  };
  const headers = [['content-type', 'application/json']] as const;
  const body = JSON.stringify({ action, request: requestsOf[action], sessionId: 'session-of-a-page' });
  const request = { method: 'POST', target: '/', headers, body, framing: 'length' } as const;
  const { status, body: text } = await exchange(shop.port, bytesOf(request, `127.0.0.1:${shop.port}`), false);
  shop.respond = respondWithShop;
  const errors = shop.events.map(({ error }) => error instanceof Error && error.stack);
  const details = JSON.stringify({ status, text, errors });
  hold(status > 0 && status !== 500, 'no page makes the gateway fail', details);
  const { error } = JSON.parse(text) as { readonly error?: { readonly code: string } };
  hold(error === undefined || listedCodes.has(error.code), 'an error has a listed code', details);
  const sent = shop.requests.filter(({ method }) => method === 'POST');
  hold(sent.length <= 3, 'a form is submitted once', JSON.stringify(shop.requests)); // a redirect with 307 repeats the POST
  // In a damaged page, the token may be the value of a control that its user sees.
  const isHidden = page.body.includes('<input type=hidden name=token ');
  // A damaged page may send a longer value. An answer of the site with the token itself is then no leak.
  const isEcho = ({ body }: SiteRequest): boolean => !answer.body.includes(token) || tokenOf(body) === token;
  const isSecretSent = isHidden && sent.some((each) => each.body.includes(`token=${token}`) && isEcho(each));
  hold(!isSecretSent || !text.includes(token), 'no answer holds a secret that was sent', details);
}

const tokenOf = (body: string): string | null => new URLSearchParams(body).get('token');
