import { longerTimeouts } from './longer-timeouts.mjs';

/** The queries of the requests that are not answered. */
const hanging = [];

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function describeRequest({ req, request }) {
  const { 'content-type': contentType = '', accept } = request.headers;
  return { method: request.method, url: request.url, contentType, accept, body: await textOf(req) };
}

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const htmlPage = (echo) => `<!doctype html><title>Echo</title><nav>Menu</nav>
  <script type="application/ld+json">{"@type":"Order","method":"${echo.method}"}</script>
  <script type="application/ld+json">{not JSON}</script>
  <main><h1>Thanks</h1><p>${escapeHtml(echo.body)}</p><p hidden>Hidden</p><script>"code"</script></main>`;

/** A page that answers the call it is the result of, by the classic script, and records the answer. */
const nextPage = (echo) => `<!doctype html><title>Next</title>
  <script>document.addEventListener('webmcp-answer', ({ detail }) => (window.said = detail));</script>
  <script src="/webmcp-forms.iife.js"></script>
  <script type="application/ld+json">{"@type":"Order"}</script>
  <main>Thanks ${escapeHtml(echo.body)}</main>`;

/** A page whose script answers a submission by opening the next page. */
const scriptedPage = (attribute, next) => `<!doctype html><title>Script</title>
  <script>${longerTimeouts({ 5000: 60_000 })}</script>
  <script src="/webmcp-forms.iife.js"></script>
  <form toolname=scripted tooldescription=d toolautosubmit ${escapeHtml(attribute)}><input name=a></form>
  <script>
    document.querySelector('form').addEventListener('submit', (event) => {
      event.preventDefault();
      fetch('/echo/text').then(() => (location.href = '${next}'));
    });
  </script>`;

/** A page with the content of the query, which answers the call that it is the result of. */
const contentPage = (content) => `<!doctype html><title>Content</title>
  <style>.unstyled { display: none }</style>
  <script src="/webmcp-forms.iife.js"></script><body>${decodeURIComponent(content)}`;

const hang = ({ res, querystring }) =>
  new Promise((resolve) => {
    hanging.push(querystring);
    res.on('close', () => resolve(hanging.splice(hanging.indexOf(querystring), 1)));
  });

const responses = {
  '/echo': async (context) => (context.body = await describeRequest(context)),
  '/echo.html': async (context) => {
    context.type = 'html';
    context.body = htmlPage(await describeRequest(context));
  },
  '/echo/next': async (context) => {
    context.type = 'html';
    context.body = nextPage(await describeRequest(context));
  },
  '/echo/content': (context) => {
    context.type = 'html';
    context.body = contentPage(context.querystring);
  },
  '/echo/script': (context) => {
    context.type = 'html';
    context.body = scriptedPage(decodeURIComponent(context.querystring), '/echo/next');
  },
  '/echo/slow-script': (context) => {
    context.type = 'html';
    context.body = scriptedPage(decodeURIComponent(context.querystring), '/echo/slow-next');
  },
  '/echo/slow-next': async (context) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    context.type = 'html';
    context.body = nextPage(await describeRequest(context));
  },
  '/echo/text': (context) => (context.body = 'Just text'),
  '/echo/no-json': (context) => {
    context.type = 'json';
    context.body = '{not JSON}';
  },
  '/echo/404': (context) => {
    context.status = 404;
    context.body = { error: 'not found' };
  },
  '/echo/500': (context) => {
    context.type = 'html';
    context.status = 500;
    context.body = '<p>Out of order</p>';
  },
  '/echo/redirect': (context) => {
    context.status = 303;
    context.set('location', '/echo?redirected');
  },
  '/echo/elsewhere': (context) => {
    context.status = 303;
    context.set('location', `http://127.0.0.1:${context.req.socket.localPort}/echo`);
  },
  '/echo/hang': hang,
  '/echo/hanging': (context) =>
    (context.body = { count: hanging.filter((query) => query === context.querystring).length }),
};

/** Middleware that returns descriptions of requests in several formats. */
export async function echo(context, next) {
  const respond = responses[context.path];
  if (!respond) return next();
  if (context.status === 404) context.status = 200;
  await respond(context);
}
