import { once } from 'node:events';
import { createServer } from 'node:http';

/** Whether a request is for a page, and not for a subresource or from a program. */
const isForPage = ({ headers }) => /\btext\/html\b/.test(headers.accept ?? '');

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A page that fetches its own URL once per second, and reloads when the response is another page. */
const startingPage = (state) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Starting: webmcp-forms</title>
<noscript><meta http-equiv="refresh" content="3"></noscript>
<style>
  body { display: grid; min-height: 100vh; margin: 0; place-items: center; font: 1.1rem/1.6 system-ui, sans-serif }
  main { padding: 1.5rem; text-align: center }
  h1 { margin: 0; font-size: 1.6rem }
  progress { width: min(20rem, 80vw); accent-color: light-dark(#1f6b5e, #7fd1c1) }
</style>
<main>
  <h1>webmcp-forms is starting</h1>
  <p id="starting" role="status">${escaped(state)}</p>
  <progress aria-label="Starting"></progress>
  <p>This page opens by itself.</p>
</main>
<script>
  const shown = document.querySelector('#starting');
  setInterval(async () => {
    const text = await (await fetch(location.href, { headers: { accept: 'text/html' } })).text();
    const next = new DOMParser().parseFromString(text, 'text/html').querySelector('#starting');
    if (!next) location.reload();
    else if (next.textContent !== shown.textContent) shown.textContent = next.textContent;
  }, 1000);
</script>
</html>
`;

function sendStartingPage(response, state) {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(startingPage(state));
}

/**
 * A request listener that can be used before the actual one is ready. Until then, pages show the state and reload
 * themselves, and other requests wait.
 *
 * @param ready - the promise of the listener that handles the requests
 * @param stateNow - returns the current state as a sentence
 */
export function startingListener(ready, stateNow) {
  let handle;
  ready.then(
    (listener) => (handle = listener),
    (error) => (handle = (_request, _response, next) => next?.(error)),
  );
  return async (request, response, next) => {
    if (handle === undefined && isForPage(request)) return sendStartingPage(response, stateNow());
    await ready.catch(() => undefined); // the listener reports the error
    handle(request, response, next);
  };
}

async function listen(server, port) {
  try {
    await once(server.listen(port, 'localhost'), 'listening');
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error;
    console.log(`Port ${port} is in use. Trying port ${port + 1} ...`);
    await listen(server, port + 1);
  }
}

/** Starts an HTTP server on localhost, on a port or the next free port. */
export async function openServer(port) {
  const server = createServer();
  await listen(server, port);
  return server;
}
