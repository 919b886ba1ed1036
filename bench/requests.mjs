// Measures the processor time of the gateway for single requests of at most 8 MB, and how long each blocks its main thread.
// Exits with 1 if a request takes more than 1 s, or blocks for more than 300 ms. Usage: node bench/requests.mjs [NAME]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { answers, batches, bodies, html, mega } from './request-shapes.mjs';

// To measure another checkout: CHECKOUT=folder node bench/requests.mjs
const checkout = process.env.CHECKOUT ?? fileURLToPath(new URL('..', import.meta.url));
const isSources = process.execArgv.includes('tsx');
const entry = (path) => new URL(isSources ? `${path}.ts` : `${path}.js`, `file://${checkout}/`).href;
const maxProcessorMs = 1000;
const maxBlockedMs = 300;

/** The time of the main thread on a processor, in milliseconds. Other processes do not change it. */
const mainThreadMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** The longest processor time between two turns of the event loop. */
function watchMainThread() {
  let [last, longest] = [mainThreadMs(), 0];
  const look = () => {
    const now = mainThreadMs();
    [last, longest] = [now, Math.max(longest, now - last)];
  };
  setInterval(look, 1);
  return {
    longestMs() {
      look();
      const result = longest;
      longest = 0;
      return result;
    },
  };
}

/** The child process: serves the manifest, and reports what happened between two messages. */
async function runGateway() {
  const { serve } = await import(entry(isSources ? 'gateway/src/node/index' : 'gateway/dist/node/index'));
  const [{ manifest, baseUrl }] = await once(process, 'message');
  const { url } = await serve(manifest, { baseUrl, port: 0, allowPrivateAddresses: true });
  const blocked = watchMainThread();
  let before = process.cpuUsage();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(before);
    process.send({ processorMs: (user + system) / 1000, blockedMs: blocked.longestMs() });
    before = process.cpuUsage();
  });
  process.send({ url });
}

async function openSite() {
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://site');
    let body = '';
    request.on('data', (chunk) => {
      if (body.length < 1000) body += chunk;
    });
    request.on('end', () => {
      const kind = new URLSearchParams(body).get('kind');
      const [type, content] = answers[kind] ?? ['text/html', url.pathname === '/sent' ? 'received' : html];
      response.writeHead(200, { 'content-type': type }).end(content);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function measureAll(filter) {
  const { compileHtml } = await import(entry(isSources ? 'src/build' : 'dist/build'));
  const page = JSON.parse(JSON.stringify(compileHtml(html, { path: 'index.html' })));
  const manifest = { name: 'bench', description: '', version: '1.0.0', pages: [page] };
  const site = await openSite();
  const start = () => startGateway(manifest, `http://127.0.0.1:${site.address().port}/`);
  let gateway = await start();
  const rows = {};
  for (const [name, { path, body, isPage }] of Object.entries(requests())) {
    if (!name.includes(filter)) continue;
    rows[name] = await measure(gateway, path, body(), isPage);
    if (rows[name].status === 0) {
      gateway.child.kill('SIGKILL');
      gateway = await start();
    }
  }
  console.table(rows);
  const missed = Object.entries(rows).filter(([, row]) => row.missed !== '');
  console.log(`${Object.keys(rows).length} requests, ${missed.length} missed.`);
  if (missed.length > 0) process.exitCode = 1;
  gateway.child.kill();
  site.close();
  site.closeAllConnections();
}

function requests() {
  const toRequests = (list, path) => Object.entries(list).map(([name, body]) => [name, { path, body }]);
  const pages = Object.keys(answers).map((kind) => [
    `an answer of 5 MB: ${kind}`,
    { path: '', body: () => ({ action: 'big', request: { kind } }), isPage: true },
  ]);
  return Object.fromEntries([...toRequests(bodies, ''), ...toRequests(batches, 'mcp'), ...pages]);
}

async function startGateway(manifest, baseUrl) {
  const child = fork(fileURLToPath(import.meta.url), ['gateway'], { execArgv: process.execArgv });
  process.on('exit', () => child.kill('SIGKILL'));
  child.setMaxListeners(0).on('error', () => undefined); // it has ended, which `ask` reports
  child.send({ manifest, baseUrl });
  const [{ url }] = await once(child, 'message');
  for (let index = 0; index < 20; index++) await send(url, JSON.stringify({ action: 'all', request: { text: 'a' } }));
  return { child, url };
}

/** The measurements since the last question. Those of an ended process are infinite. */
async function ask(child) {
  const none = { processorMs: Infinity, blockedMs: Infinity };
  if (child.exitCode !== null || child.signalCode !== null || !child.connected) return none;
  child.send('measure');
  const [result] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [none])]);
  return result;
}

async function measure({ child, url }, path, body, isPage = false) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (Buffer.byteLength(text) > 8 * mega) throw new Error(`A body has ${Buffer.byteLength(text)} bytes.`);
  await ask(child);
  const began = performance.now();
  const { status, answered } = await send(new URL(path, url), text);
  const { processorMs, blockedMs } = await ask(child);
  const missed = [
    ...(processorMs > maxProcessorMs && !isPage ? ['processor'] : []),
    ...(blockedMs > maxBlockedMs ? ['blocked'] : []),
    ...(answered > 1_000_000 && !isPage ? ['echo'] : []),
    ...(status === 500 || status === 0 ? ['status'] : []),
  ];
  return {
    'MB sent': (text.length / mega).toFixed(1),
    status,
    'kB received': (answered / 1000).toFixed(1),
    ms: Math.round(performance.now() - began),
    'processor ms': Math.round(processorMs),
    'blocked ms': Math.round(blockedMs),
    missed: missed.join(', '),
  };
}

async function send(url, body) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(120_000) };
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    if (process.env.SHOW) console.log(text.slice(0, 400));
    return { status: response.status, answered: text.length };
  } catch (error) {
    if (process.env.SHOW) console.log(error);
    return { status: 0, answered: 0 };
  }
}

if (process.argv[2] === 'gateway') await runGateway();
else await measureAll(process.argv[2] ?? '');
