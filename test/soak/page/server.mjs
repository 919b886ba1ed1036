import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const checkout = process.env.CHECKOUT ?? fileURLToPath(new URL('../../..', import.meta.url));
const soak = fileURLToPath(new URL('..', import.meta.url));
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript' };
const html = { 'content-type': 'text/html; charset=utf-8' };

const head = `<meta charset="utf-8"><title>Soak</title><script src="/dist/webmcp-forms.iife.js"></script>
  <script type="module" src="/dist/webmcp-elements.js"></script>`;
const driver = '<script type="module" src="/soak/page/driver.mjs"></script>';

/** A frame with one form of its own. */
const frame = `<!doctype html>${head}<body><script type="module">
  import { createForm } from '/soak/page/forms.mjs';
  const { searchParams } = new URL(location);
  document.body.append(createForm(searchParams.get('kind'), searchParams.get('name')));
</script>`;

/** Serves the page, the built scripts and the endpoint of the forms that are sent by fetch. */
export async function startServer() {
  const received = new Map();
  let fresh = '';
  const pages = { '/': `<!doctype html>${head}${driver}<body>`, '/frame': frame };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const [, folder, rest = ''] = /^\/(dist|soak)\/(.*)$/.exec(normalize(pathname)) ?? [];
    if (folder) sendFile(response, join(folder === 'dist' ? join(checkout, 'dist') : soak, rest));
    else if (pathname === '/echo') void echo(request, response, received);
    else if (pathname === '/fresh') response.writeHead(200, html).end(`<!doctype html><html>${fresh}`);
    else if (pages[pathname]) response.writeHead(200, html).end(pages[pathname]);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${server.address().port}/`,
    received,
    setFresh: (text) => (fresh = text),
    close: () => server.close().closeAllConnections(),
  };
}

function sendFile(response, path) {
  response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
  response.setHeader('cache-control', 'max-age=3600');
  createReadStream(path)
    .on('error', () => response.writeHead(404).end())
    .pipe(response);
}

async function echo(request, response, received) {
  const call = new URLSearchParams(await text(request)).get('call');
  received.set(call, (received.get(call) ?? 0) + 1);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ call }));
}
