import { tsImport } from 'tsx/esm/api';

const pageOf = (description) => `<form toolname=find_table tooldescription="${description}" toolautosubmit action=/echo>
    <label>Guests <input name=guests type=number min=1 max=8 required></label><button>Find</button>
  </form>
  <form toolname=join_club tooldescription="Joins the club." method=post action=/echo>
    <label>Name <input name=name></label><button>Join</button>
  </form>`;

/** The webtools by the first segment of their path after `/webtool`. The second has changed, and kept its version. */
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

/** What was sent under each key, which is the query of a webtool's URL. */
const received = new Map();

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Waits, unless the client gives up. */
const wait = (milliseconds, response) =>
  new Promise((resolve) => {
    response.on('close', resolve);
    setTimeout(resolve, milliseconds).unref();
  });

async function run(context, name) {
  const { method, url, headers, query, req } = context;
  const body = method === 'POST' ? await textOf(req) : undefined;
  const record = { method, path: context.path, isOpen: true, ...(body && { body: JSON.parse(body) }) };
  received.set(query.key, [...(received.get(query.key) ?? []), record]);
  context.res.on('close', () => (record.isOpen = false));
  if (method === 'GET') await wait(Number(query.delay ?? 0), context.res);
  const handle = await gatewayOf(name, `http://localhost:${req.socket.localPort}`);
  const request = new Request(new URL(url, `http://${headers.host}`), { method, headers: sent(headers), body });
  const response = await handle(request);
  context.respond = false; // the runner would let browsers keep it
  context.res.writeHead(response.status, Object.fromEntries(response.headers));
  context.res.end(Buffer.from(await response.arrayBuffer()));
}

const sent = ({ connection: _, ...headers }) => headers;

/** A server's middleware: real webtools, which keep what they are sent until `/webtool?key=` asks for it. */
export async function webtool(context, next) {
  const [, root, name] = context.path.split('/');
  if (root !== 'webtool') return next();
  if (!name) context.body = received.get(context.query.key) ?? [];
  else if (name in pages) await run(context, name);
}
