import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { type JsonValue, hashOf, oncePerObject, previewList } from 'webmcp-forms/headless';
import { errorResponse, HttpError, jsonResponse, toHttpError, withSecurityHeaders } from '../http/json-response.js';
import { allowOrigins, rejectForeignPages } from '../http/origin.js';
import { readJson } from '../http/request-json.js';
import { toLiveManifest, type LiveManifest, type ManifestJson } from '../manifest.js';
import { eventReporter, failureFields, requireAccess } from '../request.js';
import { runAction } from '../run-action.js';
import { resolveSettings, type GatewayOptions, type Settings } from '../settings.js';
import { changeSince, findWebtool, type ServedWebtool } from './find-webtool.js';
import type { WebtoolMetadata } from './webtool.js';

export interface WebtoolOptions extends GatewayOptions {
  /** The path of the gateway, for a server that does not remove it from requests: `/webtools/shop`. @default '/' */
  readonly basePath?: string;
}

interface Environment {
  Variables: { readonly action?: string };
}

/**
 * Serves the tools of a manifest as a webtool. Only the stores have state, so any number of machines can serve one webtool.
 *
 * @throws {GatewayError} `config-error`
 * @example
 * export default { fetch: createGateway(manifest, { baseUrl: 'https://shop.example/' }) };
 */
export function createGateway(
  manifest: ManifestJson | LiveManifest,
  { basePath = '/', ...options }: WebtoolOptions,
): (request: Request) => Promise<Response> {
  const settings = resolveSettings(options);
  const live = toLiveManifest(manifest);
  const app = new Hono<Environment>({ strict: false }).basePath(basePath.replace(/\/+$/, '') || '/');
  if (settings.cors.length > 0) app.use(corsMiddleware(settings.cors));
  app.use(
    reportEvents(settings),
    rejectForeignPages(settings),
    requireRead(settings),
    methodNotAllowed({ app, onMethodNotAllowed: rejectMethod }),
    notModified,
  );
  app.get('/', async () => await metadataResponse({ ...(await findWebtool(live, settings)), isReleased: false }));
  app.get(
    '/:version',
    async (context) => await metadataResponse(await findWebtool(live, settings, context.req.param('version'))),
  );
  app.post('/', async (context) => await call(live, settings, context));
  app.onError((error) => errorResponse(toHttpError(error)));
  app.notFound(() => errorResponse(notFound));
  return async (request) => withSecurityHeaders(await app.fetch(request));
}

/** Requires the access `read` for GET. Calls check the access of their action. */
const requireRead =
  (settings: Settings): MiddlewareHandler =>
  async ({ req }, next) => {
    if (req.method === 'GET') requireAccess(settings, req.raw, 'read');
    await next();
  };

const notFound = new HttpError(
  'webtool-not-found',
  'No webtool exists at this path. Its metadata is at the path of the gateway, optionally followed by a version.',
);

/** OPTIONS requests that are not CORS preflights are answered with the allowed methods. */
function corsMiddleware(origins: readonly string[]): MiddlewareHandler {
  const cors = allowOrigins(origins, {
    allowMethods: ['GET', 'HEAD', 'POST'],
    allowHeaders: ['authorization', 'content-type'],
    exposeHeaders: ['etag', 'retry-after', 'www-authenticate'],
  });
  return async (context, next) => {
    const isPreflight = context.req.header('access-control-request-method') !== undefined;
    return context.req.method === 'OPTIONS' && !isPreflight ? await next() : await cors(context, next);
  };
}

function rejectMethod({ req }: Context, methods: readonly string[]): Response {
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (req.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  const message = `This path does not support ${req.method}. Its methods are ${allow}.`;
  throw new HttpError('method-not-allowed', message, { headers: { allow } });
}

const notModified = etag({
  retainedHeaders: [...RETAINED_304_HEADERS, 'access-control-allow-origin', 'x-content-type-options'],
});

/** Reports all calls, and other requests that are refused or fail. */
const reportEvents =
  (settings: Settings): MiddlewareHandler<Environment> =>
  async (context, next) => {
    const start = performance.now();
    await next();
    const { status } = context.res;
    const failure = context.error ? toHttpError(context.error) : status === 404 ? notFound : undefined;
    const isCall = context.req.method === 'POST' && (context.error !== undefined || status === 200);
    if (!isCall && status < 400) return;
    const { action } = context.var;
    eventReporter(
      settings,
      context.req.raw,
    )({
      type: isCall || status >= 500 ? 'call' : 'refusal',
      interface: 'webtools',
      ...(failure ? failureFields(failure) : { code: 'ok' }),
      status,
      milliseconds: Math.round(performance.now() - start),
      ...(action !== undefined && { action }),
    });
  };

const represent = oncePerObject(async (metadata: WebtoolMetadata) => {
  const text = JSON.stringify(metadata);
  return { text, tag: `"${await hashOf(text)}"` };
});

async function metadataResponse({ webtool: { metadata }, isReleased }: ServedWebtool): Promise<Response> {
  const { text, tag } = await represent(metadata);
  return jsonResponse(text, 200, { etag: tag, 'cache-control': isReleased ? 'max-age=3600' : 'no-cache' });
}

async function call(live: LiveManifest, settings: Settings, context: Context<Environment>): Promise<Response> {
  const { raw } = context.req;
  const held = settings.capacity.holdBody(settings.rateLimitKey(raw));
  try {
    return await runCall(live, settings, context, await readJson(raw, settings.maxRequestBytes, held));
  } finally {
    held.release();
  }
}

async function runCall(
  live: LiveManifest,
  settings: Settings,
  context: Context<Environment>,
  body: JsonValue,
): Promise<Response> {
  const { raw } = context.req;
  const { action, version, hash, request, ...options } = parseCallRequest(body);
  const { webtool } = await findWebtool(live, settings, version);
  const { readOnly = true } = webtool.actions.get(action) ?? {};
  requireAccess(settings, raw, readOnly ? 'read' : 'submit');
  const change = changeSince(hash, webtool);
  if (change) throw change;
  if (webtool.actions.has(action)) context.set('action', action);
  const result = await runAction(settings, webtool, action, request, {
    ...options,
    client: settings.client(raw),
    rateLimitKey: settings.rateLimitKey(raw),
    signal: raw.signal,
  });
  const { answer: data, warning: failure } = result;
  const warning = failure && { code: 'SESSION_NOT_SAVED', message: failure.message };
  const response = { status: 'ok', data, ...(warning && { warning }) };
  return jsonResponse(JSON.stringify(response), 200, { 'cache-control': 'no-store' });
}

/** The maximum number of members and items in a `config`, at all levels. */
const maxConfigSize = 1000;

const members: readonly string[] = ['sessionId', 'version', 'hash', 'action', 'config', 'request'];

/** The members of the body of a call. @throws {HttpError} `schema-error` with the status 400 */
function parseCallRequest(body: JsonValue) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('it is not a JSON object');
  const unknown = Object.keys(body).filter((name) => !members.includes(name));
  if (unknown.length > 0) throw invalid(`${previewList(unknown)} is unknown. Its members are ${members.join(', ')}`);
  const { action, version, hash, sessionId, config, request } = body as Readonly<Record<string, JsonValue | undefined>>;
  if (typeof action !== 'string') throw invalid(`its "action" is ${action === undefined ? 'missing' : 'not a string'}`);
  if (version !== undefined && typeof version !== 'string') throw invalid('its "version" is not a string');
  if (hash !== undefined && !isHash(hash))
    throw invalid('its "hash" is not the hash of metadata: sha256- and 44 characters');
  if (request === undefined) throw invalid(`its "request" is missing. Send {} for an action without parameters`);
  if (sessionId !== undefined && !isSessionId(sessionId)) {
    throw invalid(
      'its "sessionId" is not a string of 16 to 256 printable ASCII characters, at least 4 of them different. Use a UUID',
    );
  }
  if (config !== undefined && exceedsSize(config, maxConfigSize)) {
    throw invalid(`its "config" has more than ${maxConfigSize} members`);
  }
  return { action, request, version, hash, sessionId, config };
}

function exceedsSize(value: JsonValue, limit: number): boolean {
  const parts = [value];
  for (const part of parts) {
    const children = typeof part === 'object' && part !== null ? (Object.values(part) as readonly JsonValue[]) : [];
    if (parts.length + children.length > limit + 1) return true;
    parts.push(...children);
  }
  return false;
}

const isHash = (value: JsonValue): value is string => typeof value === 'string' && /^sha256-[\w+/]{43}=$/.test(value);

/** Requires an ID that is hard to guess: without identified clients, anyone who knows the ID can use its session. */
const isSessionId = (value: JsonValue): value is string =>
  typeof value === 'string' && /^[ -~]{16,256}$/.test(value) && new Set(value).size >= 4;

const invalid = (reason: string): HttpError =>
  new HttpError('schema-error', `The call is invalid: ${reason}.`, { status: 400 });
