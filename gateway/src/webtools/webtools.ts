import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { hashOf } from 'webmcp-forms/headless';
import { corsOf } from '../http/cors.js';
import { jsonResponse } from '../http/json-response.js';
import { liveManifest, type LiveManifest } from '../live-manifest.js';
import { readJson } from '../http/request-json.js';
import { runAction, type ActionResult } from '../run-action.js';
import { findWebtool, type ServedWebtool } from './served-webtools.js';
import { settingsOf, type GatewayOptions, type Settings } from '../settings.js';
import type { ManifestJson } from '../tool.js';
import { callOf } from './webtool-call.js';
import { tellerOf } from '../request-events.js';
import { errorResponse, HttpError, httpErrorOf } from '../http/http-error.js';
import type { WebtoolMetadata } from './webtool.js';

export interface WebtoolOptions extends GatewayOptions {
  /**
   * The path that the gateway is at, for a server that does not take it off: `/webtools/shop`.
   * @default '/'
   */
  readonly basePath?: string;
}

interface Environment {
  Variables: { readonly action?: string };
}

/**
 * Serves the tools of a manifest as a webtool. It keeps nothing itself, so any number of machines can serve one.
 *
 * @throws {GatewayError} `config-error`
 * @example
 * export default { fetch: createGateway(manifest, { baseUrl: 'https://shop.example/' }) };
 */
export function createGateway(
  manifest: ManifestJson | LiveManifest,
  { basePath = '/', ...options }: WebtoolOptions,
): (request: Request) => Promise<Response> {
  const settings = settingsOf(options);
  const live = liveManifest(manifest);
  const app = new Hono<Environment>({ strict: false }).basePath(basePath.replace(/\/+$/, '') || '/');
  if (settings.cors.length > 0) app.use(corsOf(settings.cors));
  app.use(eventsOf(settings), methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }), notModified);
  app.get('/', async () => await showMetadata({ ...(await findWebtool(live, settings)), isReleased: false }));
  app.get(
    '/:version',
    async (context) => await showMetadata(await findWebtool(live, settings, context.req.param('version'))),
  );
  app.post('/', async (context) => await run(live, settings, context));
  app.onError((error) => errorResponse(httpErrorOf(error)));
  app.notFound(() => errorResponse(notFound));
  return async (request) => await app.fetch(request);
}

const notFound = new HttpError(
  'webtool-not-found',
  'There is no webtool at this path. Its metadata is at the path of the gateway, with or without a version after it.',
);

function refuseMethod({ req }: Context, methods: readonly string[]): Response {
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (req.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  const message = `There is no ${req.method} of this path, which has ${allow}.`;
  return errorResponse(new HttpError('method-not-allowed', message, { headers: { allow } }));
}

/** Answers of which a client has what it would get. */
const notModified = etag({
  retainedHeaders: [...RETAINED_304_HEADERS, 'access-control-allow-origin', 'x-content-type-options'],
});

/** Tells of each call, and of whatever else fails by the gateway's own fault. */
const eventsOf =
  (settings: Settings): MiddlewareHandler<Environment> =>
  async (context, next) => {
    const started = performance.now();
    await next();
    const { status } = context.res;
    const failure = context.error && httpErrorOf(context.error);
    const isCall = context.req.method === 'POST' && (failure !== undefined || status === 200);
    if (!isCall && status < 500) return;
    const { action } = context.var;
    const tell = tellerOf(settings, context.req.raw);
    const isInside = failure?.code === 'internal-error' || failure?.code === 'store-unavailable';
    tell({
      ...{ type: 'call', interface: 'webtools', code: failure?.code ?? 'ok', status },
      milliseconds: Math.round(performance.now() - started),
      ...(action !== undefined && { action }),
      ...(isInside && { error: failure.cause }),
    });
  };

interface Representation {
  readonly text: string;
  readonly tag: string;
}

const representations = new WeakMap<WebtoolMetadata, Promise<Representation>>();

async function represent(metadata: WebtoolMetadata): Promise<Representation> {
  const text = JSON.stringify(metadata);
  return { text, tag: `"${await hashOf(text)}"` };
}

async function showMetadata({ webtool: { metadata }, isReleased }: ServedWebtool): Promise<Response> {
  let known = representations.get(metadata);
  if (!known) representations.set(metadata, (known = represent(metadata)));
  const { text, tag } = await known;
  return jsonResponse(text, 200, { etag: tag, 'cache-control': isReleased ? 'max-age=3600' : 'no-cache' });
}

async function run(live: LiveManifest, settings: Settings, context: Context<Environment>): Promise<Response> {
  const { raw } = context.req;
  const { action, version, request, config, sessionId } = callOf(await readJson(raw, settings.maxRequestBytes));
  const { webtool } = await findWebtool(live, settings, version);
  if (webtool.actions.has(action)) context.set('action', action);
  const options = { config, sessionId, signal: raw.signal };
  return resultResponse(await runAction(settings, webtool, action, request, options));
}

function resultResponse({ answer, warning }: ActionResult): Response {
  const said = warning && { code: 'SESSION_NOT_SAVED', message: warning.message };
  const body = { status: 'ok', data: answer, ...(said && { warning: said }) };
  return jsonResponse(JSON.stringify(body), 200, { 'cache-control': 'no-store' });
}
