import { tsImport } from 'tsx/esm/api';

const pageOf = (description) => `<form toolname=find_table tooldescription="${description}" toolautosubmit action=/echo>
    <label>Guests <input name=guests type=number min=1 max=8 required></label><button>Find</button>
  </form>
  <form toolname=join_club tooldescription="Joins the club." method=post action=/echo>
    <label>Name <input name=name></label><button>Join</button>
  </form>`;

/** The pages of the webtools by the path segment after `/webtool`. The second differs from the first in the same version. */
const pages = { shop: pageOf('Finds a table.'), changed: pageOf('Finds a chair.') };

let modules;
const load = (path) => tsImport(path, import.meta.url);
const loaded = () =>
  (modules ??= Promise.all(['../gateway/src/webtools/handler.ts', '../src/site/compile-html.ts'].map(load)).then(
    ([{ createGateway }, { compileHtml }]) => ({ createGateway, compileHtml }),
  ));

async function makeGateway(name, origin) {
  const { createGateway, compileHtml } = await loaded();
  const html = pages[name];
  const manifest = {
    name,
    description: 'A restaurant.',
    version: '1.0.0',
    pages: [compileHtml(html, { path: 'index.html' })],
  };
  const options = { baseUrl: `${origin}/`, basePath: `/webtool/${name}`, allowPrivateAddresses: true, cors: ['*'] };
  return createGateway(JSON.parse(JSON.stringify(manifest)), options);
}

const gateways = new Map();

function gatewayOf(name, origin) {
  if (!gateways.has(name)) gateways.set(name, makeGateway(name, origin));
  return gateways.get(name);
}

/** The requests by the key in the query of the webtool's URL. */
const received = new Map();

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The functions that release the held responses to GET requests, by the key. */
const held = new Map();

/** Resolves when the responses to a key are released, or when the connection ends. */
const released = (key, response) =>
  new Promise((resolve) => {
    if (!held.has(key)) return resolve();
    held.get(key).push(resolve);
    response.on('close', resolve);
  });

function setHeld(key, isHeld) {
  if (isHeld) return held.set(key, []);
  for (const release of held.get(key) ?? []) release();
  held.delete(key);
}

async function run(context, name) {
  const { method, url, headers, query, req } = context;
  const body = method === 'POST' ? await textOf(req) : undefined;
  const record = { method, path: context.path, isOpen: true, ...(body && { body: JSON.parse(body) }) };
  received.set(query.key, [...(received.get(query.key) ?? []), record]);
  context.res.on('close', () => (record.isOpen = false));
  if (method === 'GET') await released(query.key, context.res);
  const handle = await gatewayOf(name, `http://localhost:${req.socket.localPort}`);
  const request = new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: requestHeaders(headers),
    body,
  });
  const response = await handle(request);
  context.respond = false; // the test runner would make the response cacheable
  context.res.writeHead(response.status, Object.fromEntries(response.headers));
  context.res.end(Buffer.from(await response.arrayBuffer()));
}

const requestHeaders = ({ connection: _, ...headers }) => headers;

/**
 * Middleware with real webtools. `/webtool?key=` returns the requests that they have received. With `hold=true`, their
 * responses to GET requests wait for `hold=false`.
 */
export async function webtool(context, next) {
  const [, root, name] = context.path.split('/');
  const { key, hold } = context.query;
  if (root !== 'webtool') return next();
  if (!name && hold) setHeld(key, hold === 'true');
  if (!name) context.body = received.get(key) ?? [];
  else if (name in pages) await run(context, name);
}
