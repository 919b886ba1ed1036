// The attacks of bench/attacks.mjs. Each one sends its requests and resolves with a description of the responses.
import { once } from 'node:events';
import { connect } from 'node:net';
import { request } from 'undici';
import { hostileAnswers, hostilePages, otherAnswers } from './attack-pages.mjs';

const json = { 'content-type': 'application/json' };
const mcp = { ...json, accept: 'application/json, text/event-stream' };
const answerMs = 40_000;

/** The size of a long value in bytes. With the rest of the call, it is below the limit of 8 MB. */
const size = 7_600_000;
const fill = (piece) => piece.repeat(Math.floor(size / piece.length));

const codeOf = (text) =>
  /"code":\s*"([A-Z_]+)"/.exec(text)?.[1] ??
  /"text":"([A-Z_]+): /.exec(text)?.[1] ??
  /"status":"ok"/.exec(text)?.[0] ??
  '';

async function send(url, options) {
  try {
    const timeouts = { headersTimeout: answerMs, bodyTimeout: answerMs };
    const response = await request(url, { ...timeouts, ...options });
    const text = await response.body.text();
    return `${response.statusCode} ${codeOf(text.slice(0, 5_000)).replace('"status":"ok"', 'ok')}`.trim();
  } catch (error) {
    return error.code ?? error.message;
  }
}

const post = (url, body, headers = json) => send(url, { method: 'POST', headers, body });
const call = (action, input) => (url) => post(url, JSON.stringify({ action, request: input }));
const rpc = (id, name, input) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } });

function tally(answers) {
  const counts = new Map();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].map(([answer, count]) => (count > 1 ? `${count} x ${answer}` : answer)).join(', ');
}

const inputs = {
  'C1: 1.9 million addresses': call('emails', { to: fill('a@b,') + 'a@b' }),
  'C1: a list of 700,000 addresses': call('emails', { to: Array(700_000).fill('a@b.c') }),
  'C1: addresses that do not match': call('emails', { to: fill('A@B,') + 'A@B' }),
  'C1: a text for a pattern': call('words', { word: fill('a') }),
  'C1: words for a pattern': call('words', { word: `${fill('a ')}1` }),
  'C1: a text for a nested pattern': call('words', { nested: fill('a') }),
  'C1: a long URL': call('words', { link: `https://a/${fill('%')}` }),
  'C1: a long host': call('words', { link: `https://${fill('a.')}` }),
  'C1: a long textarea': call('words', { text: fill('a\n') }),
  'C1: a number with 7 MB of digits': call('words', { number: fill('9') }),
  'C1: 1.9 million choices': call('choices', { several: Array(95_000).fill('option 1999') }),
  'C1: long choices': call('choices', { several: Array(2_000).fill('option '.repeat(500)) }),
  'C1: checkboxes': call('choices', { box: Array.from({ length: 95_000 }, (_, index) => `box ${index}`) }),
  ...Object.fromEntries(
    ['date', 'month', 'week', 'datetime-local', 'time'].map((type) => [
      `C9: 7 MB of digits for ${type}`,
      call('times', { [type]: fill('9') }),
    ]),
  ),
  'C9: a year with 7 MB of digits': call('times', { date: `${fill('9')}-01-01` }),
  'C9: a fraction with 7 MB of digits': call('times', { time: `10:00:00.${fill('9')}` }),
};

const bodies = {
  'JSON: nested lists': (url) => post(url, '['.repeat(4_000_000) + ']'.repeat(4_000_000)),
  'JSON: nested objects': (url) => post(url, '{"a":'.repeat(1_300_000) + '1' + '}'.repeat(1_300_000)),
  'JSON: a list of numbers': (url) => post(url, `[${'1,'.repeat(3_900_000)}1]`),
  'JSON: one number': (url) => post(url, fill('9')),
  'JSON: many names': (url) =>
    post(
      url,
      JSON.stringify({
        action: 'words',
        request: Object.fromEntries(Array.from({ length: 99_000 }, (_, index) => [`${index}`.repeat(10), 1])),
      }),
    ),
  'JSON: one name many times': (url) => post(url, `{${'"a":1,'.repeat(1_200_000)}"a":1}`),
  'JSON: escapes': (url) => post(url, `{"action":"words","request":{"text":"${fill('\\u0000')}"}}`),
  'JSON: white space': (url) => post(url, fill(' ')),
  'JSON: a long action': (url) => post(url, JSON.stringify({ action: fill('a'), request: {} })),
  'JSON: a long session ID': (url) => post(url, JSON.stringify({ action: 'words', sessionId: fill('a'), request: {} })),
  'JSON: a long version': (url) => post(url, JSON.stringify({ action: 'words', version: fill('1.'), request: {} })),
  'JSON: a large config': (url) =>
    post(url, JSON.stringify({ action: 'words', config: { authorization: fill('a') }, request: {} })),
  'MCP: 100 calls in a batch': (url) =>
    post(
      `${url}mcp`,
      JSON.stringify(Array.from({ length: 100 }, (_, id) => rpc(id, 'emails', { to: 'a@b,'.repeat(19_000) }))),
      mcp,
    ),
  'MCP: a large call': (url) => post(`${url}mcp`, JSON.stringify(rpc(1, 'emails', { to: fill('a@b,') })), mcp),
  'MCP: a long name': (url) => post(`${url}mcp`, JSON.stringify(rpc(1, fill('a'), {})), mcp),
  'MCP: a long method': (url) => post(`${url}mcp`, JSON.stringify({ jsonrpc: '2.0', id: 1, method: fill('a') }), mcp),
};

const pageCalls = Object.fromEntries(
  Object.entries(hostilePages).map(([name, { title }]) => [`page: ${title}`, call(name, { q: 'a' })]),
);
const answerCalls = Object.fromEntries(
  Object.entries(hostileAnswers).map(([name, { title }]) => [`answer: ${title}`, call(name, { q: 'tea' })]),
);
const otherCalls = Object.fromEntries(
  Object.entries(otherAnswers).map(([name, title]) => [
    `answer: ${title}`,
    (url) => post(url, JSON.stringify({ action: name, sessionId: crypto.randomUUID(), request: { q: 'tea' } })),
  ]),
);

const together = async (count, make) =>
  tally(await Promise.all(Array.from({ length: count }, (_, index) => make(index))));

/** Sends 40 wrong tokens sequentially, so that a limit of failures shows in the answers. */
async function wrongTokens(url) {
  const answers = [];
  for (let turn = 0; turn < 40; turn++) {
    answers.push(await post(url, '{}', { ...json, authorization: `Bearer wrong-token-${turn}-abcdefghijklmnop` }));
  }
  return tally(answers);
}

/** Opens 1,200 streams from one address, and then one stream from another address. */
async function manyStreams(url) {
  const { port } = new URL(url);
  const head = `GET /mcp HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: text/event-stream\r\n\r\n`;
  const sockets = [];
  const open = async (localAddress) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write(head);
    const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return /^HTTP\/1.1 (\d+)/.exec(String(chunk))?.[1] ?? 'closed';
  };
  const first = await together(1_200, () => open('127.0.0.1'));
  const other = await open('127.0.0.2');
  for (const socket of sockets) socket.destroy();
  return `${first}; another client: ${other}`;
}

/**
 * Opens 400 connections that send a byte a second, in the headers or in the body. Another client makes calls meanwhile.
 */
async function slowClients(url) {
  const { port } = new URL(url);
  const heads = [
    'POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
    `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 8000000\r\n\r\n{"action":"`,
  ];
  const sockets = Array.from({ length: 400 }, (_, index) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.write(heads[index % 2]);
    return socket;
  });
  const timer = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('a')), 1_000);
  const answers = [];
  for (let turn = 0; turn < 10; turn++) {
    answers.push(await call('words', { word: 'tea' })(url));
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  clearInterval(timer);
  sockets.forEach((socket) => socket.destroy());
  return `another client: ${tally(answers)}`;
}

const floods = {
  'C13: wrong tokens': {
    run: wrongTokens,
    requests: 40,
    env: { WEBMCP_FORMS_TOKEN: 'a-token-of-the-bench-0123456789' },
  },
  'C14: 1,200 streams': { run: manyStreams, requests: 1_200 },
  'slow clients': { run: slowClients, requests: 10 },
  '20 hostile pages at once': {
    run: (url) => together(20, (index) => Object.values(pageCalls)[index % Object.keys(pageCalls).length](url)),
    requests: 20,
  },
  '20 bodies of 8 MB at once': {
    run: (url) => together(20, () => inputs['C1: 1.9 million addresses'](url)),
    requests: 20,
  },
};

const of = (calls, kind) => Object.entries(calls).map(([name, run]) => ({ name, run, requests: 1, kind }));

/** `kind` selects the limit of the processor time. A flood is not limited. */
export const attacks = [
  ...of({ none: call('words', { word: 'tea' }) }, 'request'),
  ...of(inputs, 'request'),
  ...of(bodies, 'request'),
  ...of(pageCalls, 'page'),
  ...of(answerCalls, 'page'),
  ...of(otherCalls, 'page'),
  ...Object.entries(floods).map(([name, flood]) => ({ name, kind: 'flood', ...flood })),
];

const [largeAnswer] = Object.entries(hostileAnswers).find(([, { title }]) => title === 'one long attribute');

/** Makes ordinary calls, so that the code of the process is loaded, also in the thread for large pages. */
export async function warmUp(url, headers = json) {
  const ordinary = [
    { action: 'words', request: { word: 'tea', link: 'https://a.example/', number: 3, nested: 'aa', text: 'x' } },
    { action: 'emails', request: { to: 'a@example.com' } },
    { action: 'times', request: { date: '2030-01-01', time: '10:00' } },
    { action: 'choices', request: { several: ['option 1'], box: ['box 1'] } },
  ];
  await post(url, JSON.stringify({ action: largeAnswer, request: { q: 'tea' } }), headers);
  for (let turn = 0; turn < 5; turn++) {
    for (const body of ordinary) await post(url, JSON.stringify(body), headers);
    await post(`${url}mcp`, JSON.stringify(rpc(1, 'words', { word: 'tea' })), { ...mcp, ...headers });
  }
}
