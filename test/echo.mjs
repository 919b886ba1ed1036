/** Requests that are never answered, until the browser gives them up. */
let hanging = 0;

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function received({ req, request }) {
  const { 'content-type': contentType = '', accept } = request.headers;
  return { method: request.method, url: request.url, contentType, accept, body: await textOf(req) };
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const htmlPage = (echo) => `<!doctype html><title>Echo</title><nav>Menu</nav>
  <script type="application/ld+json">{"@type":"Order","method":"${echo.method}"}</script>
  <script type="application/ld+json">{not JSON}</script>
  <main><h1>Thanks</h1><p>${escaped(echo.body)}</p><p hidden>Hidden</p><script>"code"</script></main>`;

/** A page that answers, by the classic script, the call that it is the result of, and keeps what it says of it. */
const nextPage = (echo) => `<!doctype html><title>Next</title>
  <script>document.addEventListener('webmcp-answer', ({ detail }) => (window.said = detail));</script>
  <script src="/webmcp-forms.full.iife.js"></script>
  <script type="application/ld+json">{"@type":"Order"}</script>
  <main>Thanks ${escaped(echo.body)}</main>`;

const hang = ({ res }) =>
  new Promise((resolve) => {
    hanging++;
    res.on('close', () => resolve(hanging--));
  });

const answers = {
  '/echo': async (context) => (context.body = await received(context)),
  '/echo.html': async (context) => {
    context.type = 'html';
    context.body = htmlPage(await received(context));
  },
  '/echo/next': async (context) => {
    context.type = 'html';
    context.body = nextPage(await received(context));
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
  '/echo/hanging': (context) => (context.body = { hanging }),
};

/** A server's middleware that says what it was sent, in several ways. */
export async function echo(context, next) {
  const answer = answers[context.path];
  if (!answer) return next();
  if (context.status === 404) context.status = 200;
  await answer(context);
}
