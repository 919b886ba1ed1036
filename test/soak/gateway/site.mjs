// The site behind the gateways, in a separate process. The ID of a call ends with the fault that the site injects. It
// counts each submission by its ID, and reports what it saw on request of the parent.
import { createServer } from 'node:http';
import { createRandom } from '../random.mjs';
import { answerPage, tokenPage } from './site-pages.mjs';

const random = createRandom(Number(process.env.SOAK_SEED ?? 1));
const submissions = new Map();
const tokens = new Map();
const problems = [];
const counts = { submissions: 0, pages: 0, pageFaults: 0, twice: 0, badTokens: 0, withoutId: 0 };
const visits = new Map();
/** Visitors are numbers, because the gateway hides values that look like secrets in its answers. */
let visitors = 1000;

const html = { 'content-type': 'text/html; charset=utf-8' };
const problem = (text) => problems.length < 20 && problems.push(text);

const cookiesOf = ({ headers }) =>
  new Map((headers.cookie ?? '').split('; ').map((pair) => [pair.split('=', 1)[0], pair.slice(pair.indexOf('=') + 1)]));

/** Records a submission. It must not arrive twice, except at the second URL of a redirect with 307. */
function record(key) {
  counts.submissions++;
  const count = (submissions.get(key) ?? 0) + 1;
  submissions.set(key, count);
  if (count === 1) return;
  counts.twice++;
  problem(`sent twice: ${key}`);
}

function visit(request, call, slot) {
  const cookies = cookiesOf(request);
  const isNew = !cookies.has('visitor');
  const session = isNew ? String(++visitors) : cookies.get('visitor');
  const presented = Object.fromEntries(
    [...cookies].filter(([name]) => name.startsWith('slot-')).map(([name, value]) => [name.slice(5), Number(value)]),
  );
  const number = (visits.get(session) ?? 0) + 1;
  visits.set(session, number);
  const setCookie = [`slot-${slot}=${number}; Path=/`, ...(isNew ? [`visitor=${session}; Path=/; HttpOnly`] : [])];
  return {
    headers: { 'content-type': 'application/json', 'set-cookie': setCookie },
    body: JSON.stringify({ call, session, isNew, presented, slot, number }),
  };
}

function checkToken(request, token, call) {
  const owner = tokens.get(token);
  tokens.delete(token);
  if (owner !== undefined && owner === cookiesOf(request).get('form')) return;
  counts.badTokens++;
  problem(`the token of ${call} is ${owner === undefined ? 'used or unknown' : 'that of another session'}`);
}

function answerOf(request, name, entries) {
  const call = entries.get('call');
  if (name === 'visit') return visit(request, call, entries.get('slot'));
  if (name === 'token') checkToken(request, entries.get('token'), call);
  return { headers: html, body: answerPage(`Received ${call}.`) };
}

const dribble = async (response, body) => {
  for (let start = 0; start < body.length; start += 60) {
    response.write(body.slice(start, start + 60));
    await new Promise((resolve) => setTimeout(resolve, 5 + random.below(60)));
  }
  response.end();
};

/** What the site does with a submission, by the fault at the end of its ID. */
const faults = {
  none: (response, { headers, body }) => response.writeHead(200, headers).end(body),
  slow: (response, { headers, body }) => void dribble(response.writeHead(200, headers), body),
  late: (response, { headers, body }) =>
    void setTimeout(() => response.writeHead(200, headers).end(body), 200 + random.below(1500)),
  refused: (response, { headers, body }) => response.writeHead(422, headers).end(body),
  error: (response, { headers, body }) => response.writeHead(500, headers).end(body),
  reset: (response) => response.socket.resetAndDestroy(),
  closed: (response) => response.socket.destroy(),
  half(response, { headers, body }) {
    response.writeHead(200, { ...headers, 'content-length': body.length });
    response.write(body.slice(0, body.length / 2), () => response.socket.destroy());
  },
  hang: () => undefined,
  halfHang(response, { headers, body }) {
    response.writeHead(200, { ...headers, 'content-length': body.length });
    response.write(body.slice(0, body.length / 2));
  },
  large: (response) => response.writeHead(200, html).end('word '.repeat(1_100_000)),
  redirect: (response, _answer, call) => response.writeHead(303, { location: `/done?call=${call}` }).end(),
  again: (response, _answer, call) => response.writeHead(307, { location: `/again?call=${call}` }).end(),
  elsewhere: (response) => response.writeHead(303, { location: 'http://other.example/' }).end(),
  loop: (response) => response.writeHead(303, { location: `/loop?${crypto.randomUUID()}` }).end(),
};

const faultOf = (call) => /-([a-zA-Z]+)$/.exec(call)?.[1] ?? 'none';

function entriesOf(request, body) {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return new URLSearchParams(body);
  const call = /name="call"\r\n\r\n([^\r]*)/.exec(body)?.[1] ?? '';
  return new Map([['call', call]]);
}

async function receive(request, response, name, query) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const entries = request.method === 'GET' ? query : entriesOf(request, Buffer.concat(chunks).toString());
  const call = entries.get('call') ?? '';
  if (call === '') counts.withoutId++;
  record(`${name} ${call}`);
  (faults[faultOf(call)] ?? faults.none)(response, answerOf(request, name, entries), call);
}

/** The page with the token fails sometimes. Its request has no ID. */
function sendTokenPage(request, response) {
  counts.pages++;
  const known = cookiesOf(request).get('form');
  const owner = known ?? crypto.randomUUID();
  const token = crypto.randomUUID();
  tokens.set(token, owner);
  setTimeout(() => tokens.delete(token), 120_000).unref();
  const headers = known ? html : { ...html, 'set-cookie': `form=${owner}; Path=/` };
  const fault = random.weighted({ none: 93, slow: 2, reset: 1, half: 1, error: 1, hang: 0.02, closed: 1, late: 1 });
  if (fault !== 'none') counts.pageFaults++;
  faults[fault](response, { headers, body: tokenPage(token) }, 'page');
}

const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: 65_536 }, (request, response) => {
  request.on('error', () => undefined);
  const { pathname, searchParams } = new URL(request.url, 'http://site');
  const name = pathname.slice(1);
  if (name === 'token.html') sendTokenPage(request, response);
  else if (['book', 'visit', 'upload', 'find', 'token'].includes(name)) {
    receive(request, response, name, searchParams).catch(() => undefined); // the gateway has disconnected
  } else if (name === 'again') {
    request.resume();
    record(`again ${searchParams.get('call')}`);
    response.writeHead(200, html).end(answerPage(`Received ${searchParams.get('call')}.`));
  } else if (name === 'loop') faults.loop(response);
  else response.writeHead(200, html).end(answerPage(`Received ${searchParams.get('call')}.`));
});

const listen = (port) =>
  new Promise((resolve) =>
    server.listen({ port, host: '127.0.0.1', backlog: 4096 }, () => resolve(server.address().port)),
  );

/** Refuses connections for a while. */
async function goDown(milliseconds) {
  const { port } = server.address();
  server.close();
  server.closeAllConnections();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  await listen(port);
  process.send({ up: true });
}

const seen = (ids) => ids.filter((id) => submissions.has(id));

process.on('message', (message) => {
  if (message.down) void goDown(message.down);
  if (message.seen) process.send({ seen: seen(message.seen) });
  if (message.report) process.send({ counts, problems, calls: submissions.size });
});
process.on('disconnect', () => process.exit());
process.send({ port: await listen(0) });
