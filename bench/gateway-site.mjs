// The upstream site of bench/gateway.mjs, in a separate process that sends its port to the parent.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { answerPage, formPage, forms, largePage } from './gateway-pages.mjs';

const tokens = new Set(); // each token is valid for one submission
const visits = new Map();
let held = [];
let holds = 0; // the number of requests to wait for

const send = (response, status, html, headers = {}) =>
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);

function sendForm(response, name) {
  const token = name === 'token' ? crypto.randomUUID() : undefined;
  if (token) tokens.add(token);
  send(response, 200, formPage(name, token));
}

/** Delays all responses until the expected number of requests has arrived. */
function hold(response, html) {
  held.push(() => send(response, 200, html));
  if (held.length < holds) return;
  const all = held;
  held = [];
  process.send({ held: all.length });
  for (const answer of all) answer();
}

function visit(request, response, booked) {
  const [, known] = /visitor=([\w-]+)/.exec(request.headers.cookie ?? '') ?? [];
  const visitor = known ?? crypto.randomUUID();
  visits.set(visitor, (visits.get(visitor) ?? 0) + 1);
  send(response, 200, answerPage(`${booked}, visit ${visits.get(visitor)}`), { 'set-cookie': `visitor=${visitor}` });
}

async function receive(request, response, name) {
  const entries = new URLSearchParams(await text(request));
  const booked = `Booked for ${entries.get('name')}, ${entries.get('guests')} guests, ${entries.get('day')}`;
  if (name === 'token' && !tokens.delete(entries.get('token'))) send(response, 403, answerPage('The form is too old'));
  else if (name === 'hold') hold(response, answerPage(booked));
  else if (name === 'visit') visit(request, response, booked);
  else send(response, 200, (name === 'large' ? largePage : answerPage)(booked));
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const [, name, isPage] = /^\/(\w+)(\.html)?$/.exec(request.url) ?? [];
  if (!forms.includes(name)) send(response, 404, answerPage('Nothing here'));
  else if (isPage) sendForm(response, name);
  else void receive(request, response, name);
});

process.on('message', (message) => (holds = message.holds));
process.on('disconnect', () => process.exit());
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => process.send({ port: server.address().port }));
