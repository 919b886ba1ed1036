import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import {
  connectWebtool,
  WebtoolError,
  type ConnectedWebtool,
  type ConnectOptions,
} from '../../src/webtool-client/index.js';
import { canonicalJson } from '../../src/json.js';
import { openSite, type Recorded, type Site } from '../support/gateway/recording.js';

/** A value that must not appear in any error or tool. */
export const secret = 'S3CRET';

export const searchAction = {
  name: 'search',
  title: 'Search',
  description: 'Searches the shop.',
  requestSchema: {
    type: 'object',
    properties: { q: { type: 'string', description: 'What to look for.' } },
    required: ['q'],
    additionalProperties: false,
  },
  responseSchema: { type: 'object' },
  readOnly: true,
  consequential: false,
};

export const orderAction = {
  name: 'order',
  description: 'Orders what is in the basket.',
  requestSchema: { type: 'object', properties: {}, additionalProperties: false },
  responseSchema: { type: 'object' },
  readOnly: false,
  consequential: true,
};

/** The hash of a webtool with the name and description of `metadataWith`. */
export function hashOf(actions: unknown, members: Readonly<Record<string, unknown>> = {}): string {
  const { name = 'shop', description = 'A shop.' } = members;
  const texts = Array.isArray(actions) ? actions.map(canonicalJson).sort() : [];
  const text = `{"actions":[${texts.join(',')}],"description":${canonicalJson(description)},"name":${canonicalJson(name)}}`;
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Valid metadata with some members replaced, or removed if undefined. */
export function metadataWith(members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { actions = [searchAction, orderAction] } = members;
  return {
    name: 'shop',
    description: 'A shop.',
    version: '1.2.0',
    hash: hashOf(actions, members),
    actions,
    configSchema: { type: 'object' },
    defaultConfig: {},
    ...members,
  };
}

/** The description of an action for a model, with the origin of the webtool and its statement about changes. */
export function markedOf(description: string, { origin }: { readonly origin: string }, isReadOnly: boolean): string {
  const statement = isReadOnly ? 'it changes nothing' : 'a person should confirm it';
  return `${description}\n\n(Third-party tool of ${origin}, which states that ${statement}.)`;
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

type Body = Readonly<Record<string, unknown>>;

export interface WebtoolServer extends Site {
  /** The bodies of the calls. */
  readonly calls: Body[];
}

/** A webtool on loopback: GET responds with its metadata, POST with the result of `run`. */
export async function serveWebtool(
  metadata: unknown,
  run: (body: Body, response: ServerResponse) => unknown = () => ({ text: 'done' }),
): Promise<WebtoolServer> {
  const calls: Body[] = [];
  const site = await openSite(async ({ method, body }, response) => {
    if (method === 'GET') return sendJson(response, metadata);
    const call = JSON.parse(Buffer.from(body, 'latin1').toString()) as Body;
    calls.push(call);
    const data = await run(call, response);
    if (!response.headersSent && !response.destroyed) sendJson(response, { status: 'ok', data });
  });
  return { ...site, calls };
}

/** Serves a webtool and connects to it while the steps run. */
export async function withWebtool(
  options: ConnectOptions & { readonly metadata?: unknown; readonly run?: Parameters<typeof serveWebtool>[1] },
  steps: (webtool: ConnectedWebtool, server: WebtoolServer) => unknown,
): Promise<void> {
  const { metadata = metadataWith(), run, ...connect } = options;
  const server = await serveWebtool(metadata, run);
  try {
    await steps(await connectWebtool(server.origin, connect), server);
  } finally {
    server.close();
  }
}

/** Runs a server while the steps run. */
export async function withSite(
  answer: (request: Recorded, response: ServerResponse) => unknown,
  steps: (site: Site) => Promise<void>,
): Promise<void> {
  const site = await openSite(answer);
  try {
    await steps(site);
  } finally {
    site.close();
  }
}

/** The error of a promise, checked for secrets. */
export async function failureOf(promise: Promise<unknown>, code: string): Promise<WebtoolError> {
  const error = await promise.then(
    (value) => assert.fail(`it succeeded: ${inspect(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof WebtoolError)) throw error;
  assert.doesNotMatch(inspect(error, { depth: Infinity }), new RegExp(secret));
  assert.equal(error.code, code, error.message);
  return error;
}
