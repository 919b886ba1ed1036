import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { connectWebtool } from 'webmcp-forms/client';
import { startProgram } from './programs.mjs';
import { openRedis } from './redis.mjs';
import { openDay, openSite, port, printAddresses } from './site.mjs';

const site = await openSite();
const redis = await openRedis();

function startGateway() {
  const bin = fileURLToPath(new URL('../../gateway/dist/cli/bin.js', import.meta.url));
  const flags = ['--base-url', site.url, '--allow-private', '--sessions', redis, '--port', '0'];
  const ready = /(?<="url":")http[^"]+/;
  return startProgram(process.execPath, [bin, 'serve', site.manifestFile, ...flags], { ready, onLine: printCall });
}

/** The log consists of JSON lines. Any other line is the reason of a failed start. */
function printCall(line) {
  const { level, msg, pid, action, code, milliseconds } = line.startsWith('{') ? JSON.parse(line) : { level: 'error' };
  if (msg === 'call') console.log(`Process ${pid}: ${action} ${code}, ${milliseconds} ms`);
  else if (level === 'error') console.error(line);
}

const gateways = await Promise.all([startGateway(), startGateway()]);
let turn = 0;

/** A reverse proxy that alternates between the processes. */
const app = new Hono().all('*', ({ req }) => {
  const { pathname, search } = new URL(req.url);
  return proxy(new URL(pathname + search, gateways[turn++ % 2]), req.raw);
});

/** Makes two bookings in one session. The site's second response also contains the first booking. */
async function bookTwice(url) {
  const osteria = await connectWebtool(url);
  const visit = { date: openDay(), guests: 1, name: 'Ada', email: 'ada@example.com' };
  for (const time of ['18:00', '20:30']) {
    const { text } = await osteria.call('book_table', { ...visit, time });
    console.log(`Site: ${text}`);
  }
}

serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, ({ port }) => {
  const gateway = `http://127.0.0.1:${port}/`;
  printAddresses({ site: site.url, gateway });
  void bookTwice(gateway);
});
