// The server of the suite. By itself: node server.mjs [--script POLYFILL.js] [--port 8000]
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allCases } from './cases.mjs';

const ownFiles = { '/': 'runner.html', '/harness.js': 'harness.js' };

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

/** A request as the cases expect it: its boundary is BOUNDARY, and each byte of its body is one character. */
async function describeRequest(request, url) {
  const type = request.headers['content-type'];
  const boundary = /boundary=(\S+)/.exec(type ?? '')?.[1];
  const normalized = (text) => (boundary ? text.replaceAll(boundary, 'BOUNDARY') : text);
  return {
    method: request.method,
    url,
    ...(type && { contentType: normalized(type) }),
    ...(type && { body: normalized(await bodyOf(request)) }),
  };
}

/**
 * A function that answers the requests of the suite and returns whether a request was for it. `script` is the file of an
 * implementation, which every page loads first. `tag` replaces its script element.
 */
export function suiteServer({ script, tag } = {}) {
  const cases = new Map(allCases().map((each) => [`${each.kind}/${each.group}/${each.name}`, each]));
  const requests = new Map();
  const scriptTag = tag ?? (script ? `<script src="/script/${basename(script)}"></script>` : '');

  const send = (response, type, body) => {
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(body);
  };

  const sendScript = (response, path) => {
    if (script) send(response, 'text/javascript', readFileSync(join(dirname(script), basename(path))));
    else response.writeHead(404).end();
  };

  async function answerCase(request, response, [run, id, rest]) {
    if (rest.startsWith('requests'))
      return send(response, 'application/json', JSON.stringify(requests.get(run + id) ?? null));
    if (rest.startsWith('echo')) {
      requests.set(run + id, await describeRequest(request, rest));
      return send(response, 'text/html', '<!doctype html><title>Received</title>');
    }
    const { html } = cases.get(id);
    return send(response, 'text/html', `<!doctype html><meta charset=utf-8><title>t</title>${scriptTag}<body>${html}`);
  }

  return (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const [, run, id, rest] = /^\/case\/(\w+)\/(\w+\/[\w-]+\/[\w-]+)\/(.*)$/.exec(request.url) ?? [];
    if (ownFiles[pathname]) {
      const file = ownFiles[pathname];
      send(
        response,
        file.endsWith('.js') ? 'text/javascript' : 'text/html',
        readFileSync(new URL(file, import.meta.url)),
      );
    } else if (pathname === '/cases.json') send(response, 'application/json', JSON.stringify([...cases.values()]));
    else if (pathname.startsWith('/script/')) sendScript(response, pathname);
    else if (cases.has(id)) void answerCase(request, response, [run, id, rest]);
    else return false;
    return true;
  };
}

/** Starts a server of the suite on a port, and resolves with it. */
export async function startServer({ script, tag, port = 0 } = {}) {
  const answer = suiteServer({ script, tag });
  const server = createServer((request, response) => answer(request, response) || response.writeHead(404).end());
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { script: { type: 'string' }, port: { type: 'string', default: '8000' } } });
  const server = await startServer({ ...values, port: Number(values.port) });
  console.log(`Open http://localhost:${server.address().port}/ in the browser to be tested.`);
}
