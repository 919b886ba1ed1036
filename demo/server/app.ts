import { Hono, type Context, type HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from './markup.js';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { addMenu } from './menu.js';
import { addNewsletter, showSubscription } from './newsletter.js';
import { addOffice } from './office.js';
import { addOrder, showOrder } from './order.js';
import { addRatings, showRating } from './ratings.js';
import { addRequests, showWine } from './requests.js';
import { addReservation, showBooking } from './reservation.js';
import { refuseOtherSites } from './other-sites.js';
import { sendAnswer, type Env, type Site } from './site.js';
import { knowVisitor } from './visitor.js';

const mostBytes = 64_000;
const mostBytesWithFile = 6_000_000;

async function sendProblem(
  context: Context<Env>,
  site: Site,
  status: ContentfulStatusCode,
  title: string,
  text: string,
) {
  if (context.req.path.startsWith('/api/')) return context.json({ error: `${title}. ${text}` }, status);
  return sendAnswer(context, site, { title, content: html`<p class="lead">${text}</p>`, status });
}

const tooLarge = (site: Site) => (context: Context) =>
  sendProblem(context as Context<Env>, site, 413, 'That is too much', 'What was sent is larger than we take.');

const mayHaveFile = (request: HonoRequest): boolean =>
  request.path === '/order.html' && /^multipart\/form-data\b/i.test(request.header('content-type') ?? '');

function limitBodies(app: Hono<Env>, site: Site): void {
  const limit = (maxSize: number) => bodyLimit({ maxSize, onError: tooLarge(site) });
  const [withFile, without] = [limit(mostBytesWithFile), limit(mostBytes)];
  app.use((context, next) => (mayHaveFile(context.req) ? withFile : without)(context, next));
}

const notFound = (context: Context<Env>, site: Site) =>
  sendProblem(context, site, 404, 'Nothing here', 'This page, booking or order is not here, or not yours.');

type Show = (context: Context<Env>, site: Site, value: string) => Promise<Response> | undefined;

const shows: Readonly<Record<string, Show>> = {
  booking: showBooking,
  order: showOrder,
  newsletter: showSubscription,
  rated: showRating,
  wine: showWine,
};

/** Shows the outcome of a form submission, and survives a reload. */
async function showThanks(context: Context<Env>, site: Site): Promise<Response> {
  const [name, value] = Object.entries(context.req.query())[0] ?? ['', ''];
  const shown = Object.hasOwn(shows, name) ? shows[name]?.(context, site, value) : undefined;
  return (await shown) ?? notFound(context, site);
}

async function showPage(context: Context<Env>, site: Site): Promise<Response> {
  const file = context.req.path === '/' ? 'index.html' : context.req.path.slice(1);
  const page = await site.template(file);
  return page === undefined ? notFound(context, site) : context.html(page);
}

function addPages(app: Hono<Env>, site: Site): void {
  app.get('/thanks.html', (context) => showThanks(context, site));
  app.on('GET', ['/', '/:file{.+\\.html}'], (context) => showPage(context, site));
  app.all('/:file{.*\\.html}', (context) => {
    context.header('allow', 'GET, HEAD');
    return sendProblem(context, site, 405, 'This page takes nothing', 'It can be read, and nothing can be sent to it.');
  });
  app.notFound((context) => notFound(context, site));
}

function sendError(context: Context<Env>, site: Site, error: Error) {
  if (error instanceof HTTPException)
    return sendProblem(context, site, error.status, 'We cannot take this', error.message);
  console.error(error);
  return sendProblem(context, site, 500, 'Something broke on our side', 'Nothing was kept. Please try again.');
}

export function createApp(site: Site): Hono<Env> {
  const app = new Hono<Env>();
  app.onError((error, context) => sendError(context, site, error));
  app.use(refuseOtherSites);
  app.use(knowVisitor);
  app.use(async (context, next) => {
    await next();
    context.header('x-content-type-options', 'nosniff');
  });
  limitBodies(app, site);
  for (const add of [addMenu, addReservation, addOrder, addNewsletter, addRequests, addRatings, addOffice, addPages])
    add(app, site);
  return app;
}

/** Whether the site handles a request. All other requests are for files of the build. */
export const isForSite = (method: string, url: string): boolean => {
  const path = url.replace(/[?#].*/s, '');
  return !['GET', 'HEAD'].includes(method) || path === '/' || path.startsWith('/api/') || path.endsWith('.html');
};
