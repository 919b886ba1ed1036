import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, it } from 'vitest';
import { Hono } from 'hono';
import { createStorage } from 'unstorage';
import { GatewayError } from '../../../gateway/src/index.js';
import { LiveManifest, type GatewayManifest } from '../../../gateway/src/manifest.js';
import { checkVersion } from '../../../gateway/src/webtools/find-webtool.js';
import { writeRelease, type Release } from '../../../gateway/src/releases/releases.js';
import type { WebtoolMetadata } from '../../../gateway/src/webtools/webtool.js';
import { skipWithout } from '../../../tools/programs.mjs';
import { metadataOf } from '../../support/gateway/releases.js';
import { createGateway } from '../../../gateway/src/webtools/handler.js';
import { until } from '../../support/until.js';
import {
  envelopeOf,
  manifest,
  manifestOf,
  openServer,
  page,
  post,
  refusalOf,
  serveWebtool,
  type Served,
} from '../../support/gateway/webtool-site.js';

const metadataAt = async (url: string): Promise<WebtoolMetadata> =>
  (await (await fetch(url)).json()) as WebtoolMetadata;
const lines = ({ site }: Served): readonly string[] =>
  site.requests.map(({ method, url, body }) => `${method} ${url} ${body}`.trim());

async function releaseOf(of: GatewayManifest): Promise<Release> {
  const metadata = await metadataOf(of);
  return { version: of.version, hash: metadata.hash, released: '2025-06-30T00:00:00Z', metadata, manifest: of };
}

it('createGateway accepts a manifest that is imported as JSON', async () => {
  const controls = [
    {
      element: 'input',
      type: 'text',
      name: 'q',
      disabled: false,
      readonly: false,
      attributes: {},
      groups: [],
      words: [],
    },
  ];
  const form = {
    method: 'get',
    action: null,
    enctype: 'text/plain',
    noValidate: false,
    autosubmit: true,
    groups: [],
    controls,
  };
  const imported = {
    manifestVersion: 1,
    generator: 'x',
    name: 'shop',
    description: 'x',
    version: '1.0.0',
    profile: 'precise',
    pages: [{ path: 'a', tools: [{ name: 'find', description: 'Finds.', form }], diagnostics: [] }],
  };
  const handle = createGateway(imported, { baseUrl: 'https://shop.example/' });
  const { actions } = (await (await handle(new Request('http://x/'))).json()) as WebtoolMetadata;
  assert.deepEqual(
    actions.map(({ name, readOnly }) => [name, readOnly]),
    [['find', true]],
  );
});

describe('createGateway, GET requests', () => {
  it('returns the metadata of the manifest', async (t) => {
    const { url, site, events } = await serveWebtool(t);
    const response = await fetch(url);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    const { name, version, actions, defaultConfig, ...others } = (await response.json()) as WebtoolMetadata;
    assert.deepEqual([name, version, defaultConfig], ['shop', '1.0.0', {}]);
    assert.deepEqual(Object.keys(others), ['description', 'hash', 'configSchema']);
    assert.deepEqual(
      actions.map((action) => [action.name, action.readOnly, action.consequential]),
      [
        ['search', true, false],
        ['order', false, true],
        ['note', false, true],
        ['upload', false, true],
      ],
    );
    assert.deepEqual([site.requests, events], [[], []]);
  });

  it('returns the metadata under its version only', async (t) => {
    const { url } = await serveWebtool(t);
    assert.deepEqual(await metadataAt(`${url}1.0.0`), await metadataAt(url));
    assert.equal((await fetch(`${url}1.0.0?x=1`)).headers.get('cache-control'), 'no-cache');
    const message = await refusalOf(fetch(`${url}2.0.0`), 404, 'WEBTOOL_NOT_FOUND');
    assert.match(message, /no version "2\.0\.0"\. The current version is "1\.0\.0"/);
    for (const path of ['1.0', 'latest', '__proto__', '%ff', '%2e%2e%2f', 'x'.repeat(5000), '1.0.0%00']) {
      await refusalOf(fetch(`${url}${path}`), 404, 'WEBTOOL_NOT_FOUND');
    }
    await refusalOf(fetch(`${url}a/b`), 404, 'WEBTOOL_NOT_FOUND');
  });

  it('returns 304 for a matching strong entity tag', async (t) => {
    const { url } = await serveWebtool(t);
    const response = await fetch(url);
    const tag = response.headers.get('etag') ?? '';
    assert.match(tag, /^"sha256-[\w+/=]{44}"$/);
    for (const match of [tag, `W/${tag}`, `"x", ${tag}`, `W/"x" ,W/${tag},"y"`, '*']) {
      const again = await fetch(url, { headers: { 'if-none-match': match } });
      assert.deepEqual([again.status, await again.text()], [304, ''], match);
      assert.equal(again.headers.get('etag'), tag);
      assert.equal(again.headers.get('cache-control'), 'no-cache');
    }
    for (const match of ['"x"', tag.replaceAll('"', ''), tag.slice(0, -2) + '"', '']) {
      assert.equal((await fetch(url, { headers: { 'if-none-match': match } })).status, 200, match);
    }
    const other = await serveWebtool(t, { manifest: manifestOf(page, '1.0.1') });
    assert.notEqual((await fetch(other.url)).headers.get('etag'), tag);
  });

  it('returns the headers of GET for HEAD', async (t) => {
    const { url } = await serveWebtool(t);
    for (const path of ['', '1.0.0', '2.0.0']) {
      const [get, head] = [await fetch(url + path), await fetch(url + path, { method: 'HEAD' })];
      const namesOf = ({ headers }: Response) =>
        [...headers].filter(
          ([name]) => !/^(?:date|content-length|transfer-encoding|connection|keep-alive)$/.test(name),
        );
      assert.deepEqual([head.status, namesOf(head), await head.text()], [get.status, namesOf(get), '']);
    }
  });

  it('returns the metadata of a changed manifest', async (t) => {
    const live = new LiveManifest(manifest);
    const { url } = await serveWebtool(t, { manifest: live });
    const tag = (await fetch(url)).headers.get('etag') ?? '';
    live.update(manifestOf('<form toolname=x tooldescription=x></form>', '2.0.0'));
    const response = await fetch(url, { headers: { 'if-none-match': tag } });
    assert.equal(((await response.json()) as WebtoolMetadata).version, '2.0.0');
    await refusalOf(fetch(`${url}1.0.0`), 404, 'WEBTOOL_NOT_FOUND');
    await refusalOf(post(url, { action: 'search', request: { q: 'tea' } }), 404, 'ACTION_NOT_FOUND');
  });
});

describe('createGateway, other methods', () => {
  it('returns the allowed methods for OPTIONS and unsupported methods', async (t) => {
    const { url } = await serveWebtool(t);
    const allowed: readonly (readonly [string, string])[] = [
      ['', 'GET, HEAD, POST, OPTIONS'],
      ['1.0.0', 'GET, HEAD, OPTIONS'],
    ];
    for (const [path, allow] of allowed) {
      const options = await fetch(url + path, { method: 'OPTIONS' });
      assert.deepEqual([options.status, options.headers.get('allow'), await options.text()], [204, allow, '']);
      for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND', path && 'POST'].filter(Boolean)) {
        const response = await fetch(url + path, { method });
        assert.equal(response.headers.get('allow'), allow);
        await refusalOf(Promise.resolve(response), 405, 'METHOD_NOT_ALLOWED');
      }
    }
    await refusalOf(fetch(`${url}a/b`, { method: 'OPTIONS' }), 404, 'WEBTOOL_NOT_FOUND');
  });
});

describe('createGateway, calls', () => {
  it('submits the form and returns the response of the site', async (t) => {
    const served = await serveWebtool(t);
    const response = await post(
      served.url,
      { action: 'search', request: { q: 'tea', count: 2 } },
      { 'x-request-id': 'a1' },
    );
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const { status, data, warning } = await envelopeOf(response);
    assert.deepEqual([response.status, status, data?.status, warning], [200, 'ok', 200, undefined]);
    assert.deepEqual(data?.json, { method: 'GET', url: '/search?q=tea&count=2', body: '', cookie: null });
    assert.deepEqual(lines(served), ['GET /search?q=tea&count=2']);
    const [{ milliseconds, ...event } = { milliseconds: -1 }, ...others] = served.events;
    const expected = {
      type: 'call',
      interface: 'webtools',
      action: 'search',
      code: 'ok',
      status: 200,
      requestId: 'a1',
    };
    assert.deepEqual(event, expected);
    assert.ok(Number.isInteger(milliseconds) && milliseconds >= 0);
    assert.deepEqual(others, []);
  });

  it('reads hidden inputs from the page, and accepts files and all members of a call', async (t) => {
    const served = await serveWebtool(t);
    const call = {
      sessionId: ' ~'.repeat(8) + 'ab',
      version: '1.0.0',
      config: {},
      action: 'order',
      request: { goods: 'tea' },
    };
    assert.equal((await post(served.url, call)).status, 200);
    assert.deepEqual(lines(served), ['GET /', 'POST /order goods=tea&token=OLD']);
    const { requestSchema } = (await metadataAt(served.url)).actions.find(({ name }) => name === 'upload')!;
    assert.ok(JSON.stringify(requestSchema).includes('content'));
    const file = { name: 'a.txt', mediaType: 'text/plain', content: Buffer.from('tea').toString('base64') };
    const uploaded = await post(served.url, { action: 'upload', request: { file } });
    assert.equal(uploaded.status, 200, await uploaded.clone().text());
    assert.match(
      served.site.requests.at(-1)?.body ?? '',
      /filename="a\.txt"\r\nContent-Type: text\/plain\r\n\r\ntea\r\n/,
    );
  });

  it('returns a rejection of the site as data', async (t) => {
    const { url } = await serveWebtool(t, {
      answering: (response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('No such tea.'),
    });
    const { status, data } = await envelopeOf(await post(url, { action: 'search', request: { q: 'x' } }));
    assert.deepEqual([status, data?.status, data?.text], ['ok', 404, 'No such tea.']);
  });

  it('returns the right responses to concurrent calls', async (t) => {
    const { url, events } = await serveWebtool(t, {
      answering: (response, { url: path }) => setTimeout(() => response.end(path), Math.random() * 50),
    });
    const words = Array.from({ length: 100 }, (_, index) => `tea${index}`);
    const answers = await Promise.all(
      words.map(async (q) => (await envelopeOf(await post(url, { action: 'search', request: { q } }))).data?.text),
    );
    assert.deepEqual(
      answers,
      words.map((q) => `/search?q=${q}&count=`),
    );
    assert.equal(events.length, 100);
  });

  it('aborts the request to the site when the client disconnects', async (t) => {
    let isClosed: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => (isClosed = resolve));
    let isReached: (() => void) | undefined;
    const reached = new Promise<void>((resolve) => (isReached = resolve));
    const { url, events } = await serveWebtool(t, {
      answering: (response) => {
        response.on('close', () => isClosed?.());
        isReached?.();
      },
    });
    const controller = new AbortController();
    const body = JSON.stringify({ action: 'note', request: {} });
    const headers = { 'content-type': 'application/json' };
    const call = fetch(url, { method: 'POST', headers, body, signal: controller.signal });
    call.catch(() => undefined);
    await reached;
    controller.abort();
    await closed;
    await until(() => events.length > 0);
    assert.deepEqual(
      events.map(({ code, status, action }) => [code, status, action]),
      [['aborted', 499, 'note']],
    );
  });
});

describe('createGateway, with releases', () => {
  const old = manifestOf('<form toolname=find tooldescription=Finds. action=/old><input name=q></form>', '0.9.0');

  it('runs an earlier release unchanged', async (t) => {
    const versions = createStorage();
    await writeRelease(versions, await releaseOf(old));
    const served = await serveWebtool(t, { versions });
    const { url } = served;
    const response = await fetch(`${url}0.9.0`);
    assert.equal(response.headers.get('cache-control'), 'max-age=3600');
    assert.deepEqual(await response.json(), JSON.parse(JSON.stringify(await metadataOf(old))));
    assert.equal((await metadataAt(url)).version, '1.0.0');
    assert.equal((await post(url, { version: '0.9.0', action: 'find', request: { q: 'a' } })).status, 200);
    await refusalOf(post(url, { version: '0.9.0', action: 'search', request: { q: 'a' } }), 404, 'ACTION_NOT_FOUND');
    await refusalOf(post(url, { action: 'find', request: { q: 'a' } }), 404, 'ACTION_NOT_FOUND');
    await refusalOf(post(url, { version: '0.8.0', action: 'find', request: {} }), 404, 'WEBTOOL_NOT_FOUND');
    assert.deepEqual(lines(served), ['GET /old?q=a']);
    const tag = response.headers.get('etag') ?? '';
    assert.equal((await fetch(`${url}0.9.0`, { headers: { 'if-none-match': tag } })).status, 304);
  });

  it('serves a release instead of a manifest of its version with other actions', async (t) => {
    const versions = createStorage();
    const released = { ...old, version: '1.0.0' };
    await writeRelease(versions, await releaseOf(released));
    const { url } = await serveWebtool(t, { versions });
    const { hash } = await metadataOf(released);
    assert.deepEqual([(await metadataAt(url)).hash, (await metadataAt(`${url}1.0.0`)).hash], [hash, hash]);
    assert.equal((await fetch(url)).headers.get('cache-control'), 'no-cache');
    await refusalOf(post(url, { action: 'search', request: { q: 'a' } }), 404, 'ACTION_NOT_FOUND');
    await assert.rejects(checkVersion(manifest, { baseUrl: 'https://shop.example/', versions }), (error) => {
      assert.ok(error instanceof GatewayError);
      assert.deepEqual(
        [error.code, error.message],
        [
          'config-error',
          'Version "1.0.0" of "shop" was released with other actions or another description. Release the manifest with a new version.',
        ],
      );
      return true;
    });
  });

  it('rejects a manifest with another description than the release, and serves the release', async (t) => {
    const versions = createStorage();
    await writeRelease(versions, await releaseOf(manifest));
    const changed = { ...manifest, description: 'Sells coffee.' };
    const served = await serveWebtool(t, { versions, manifest: changed });
    await assert.rejects(checkVersion(changed, { baseUrl: 'https://shop.example/', versions }), /another description/);
    for (const path of ['', '1.0.0']) assert.equal((await metadataAt(served.url + path)).description, 'Sells tea.');
    assert.equal((await post(served.url, { action: 'search', version: '1.0.0', request: { q: 'a' } })).status, 200);
    assert.deepEqual(lines(served), ['GET /search?q=a&count=']);
  });

  it('runs the release instead of a manifest whose forms are submitted elsewhere, or are on other pages', async (t) => {
    const versions = createStorage();
    await writeRelease(versions, await releaseOf(manifest));
    const moved = manifestOf(page.replace('action=/search', 'action=/found'));
    const [only] = manifest.pages;
    const onOther = { ...manifest, pages: [{ ...only!, path: 'other.html' }] };
    for (const changed of [moved, onOther]) {
      const options = { baseUrl: 'https://shop.example/', versions };
      await assert.rejects(checkVersion(changed, options), {
        code: 'config-error',
        message: /released with other actions/,
      });
      const served = await serveWebtool(t, { versions, manifest: changed });
      await post(served.url, { action: 'search', version: '1.0.0', request: { q: 'a' } });
      await post(served.url, { action: 'order', version: '1.0.0', request: { goods: 'a' } });
      assert.deepEqual(lines(served), ['GET /search?q=a&count=', 'GET /', 'POST /order goods=a&token=OLD']);
    }
  });

  it('does not run a release whose stored forms do not match its actions', async (t) => {
    const versions = createStorage();
    const release = await releaseOf(manifest);
    await writeRelease(versions, { ...release, manifest: manifestOf(page.replace('action=/search', 'action=/found')) });
    const served = await serveWebtool(t, { versions, manifest: manifestOf(page, '2.0.0') });
    const call = { version: '1.0.0', action: 'search', request: { q: 'a' } };
    const message = await refusalOf(post(served.url, call), 422, 'CONFIG_ERROR');
    assert.match(message, /its page or form is not that of the release/);
    assert.deepEqual(lines(served), []);
  });

  it('serves a version that is released later', async (t) => {
    const versions = createStorage();
    const { url } = await serveWebtool(t, { versions });
    await refusalOf(fetch(`${url}0.9.0`), 404, 'WEBTOOL_NOT_FOUND');
    await checkVersion(manifest, { baseUrl: 'https://shop.example/', versions });
    await writeRelease(versions, await releaseOf(old));
    assert.equal((await metadataAt(`${url}0.9.0`)).version, '0.9.0');
  });
});

describe('createGateway, with CORS', () => {
  const preflight = {
    method: 'OPTIONS',
    headers: {
      origin: 'https://a.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  };

  it('allows scripts of configured origins', async (t) => {
    const { url } = await serveWebtool(t, { cors: ['https://a.example', 'https://b.example/'] });
    const response = await fetch(url, preflight);
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://a.example');
    assert.equal(response.headers.get('access-control-allow-headers'), 'authorization,content-type');
    assert.equal(response.headers.get('access-control-allow-methods'), 'GET,HEAD,POST');
    assert.equal(response.headers.get('access-control-allow-credentials'), null);
    const answers = [
      await fetch(url, { headers: { origin: 'https://b.example' } }),
      await fetch(`${url}9.9.9`, { headers: { origin: 'https://b.example' } }),
      await post(url, {}, { origin: 'https://b.example' }),
      await fetch(url, { headers: { origin: 'https://b.example', 'if-none-match': '*' } }),
      await fetch(url, { method: 'PUT', headers: { origin: 'https://b.example' } }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404, 400, 304, 405],
    );
    for (const { headers } of answers) {
      assert.equal(headers.get('access-control-allow-origin'), 'https://b.example');
      assert.equal(headers.get('vary'), 'Origin');
    }
    const other = await fetch(url, { headers: { origin: 'https://c.example' } });
    assert.deepEqual([other.headers.get('access-control-allow-origin'), other.headers.get('vary')], [null, 'Origin']);
    assert.equal((await fetch(url, { method: 'OPTIONS' })).headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  });

  it('allows scripts of all origins with *', async (t) => {
    const { url } = await serveWebtool(t, { cors: ['*'] });
    assert.equal((await fetch(url, preflight)).headers.get('access-control-allow-origin'), '*');
    const response = await fetch(url, { headers: { origin: 'https://c.example' } });
    assert.deepEqual([response.headers.get('access-control-allow-origin'), response.headers.get('vary')], ['*', null]);
  });

  it('allows no scripts of other origins by default', async (t) => {
    const { url } = await serveWebtool(t);
    const response = await fetch(url, preflight);
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [403, null]);
  });
});

describe('createGateway, below a path', () => {
  const options = { baseUrl: 'https://site.example/' };
  const statuses = async (origin: string): Promise<readonly number[]> =>
    await Promise.all(
      ['/webtools/shop', '/webtools/shop/', '/webtools/shop/1.0.0', '/webtools/shop/2', '/webtools', '/', '/1.0.0'].map(
        async (path) => (await fetch(new URL(path, origin))).status,
      ),
    );

  it('serves below its basePath', async (t) => {
    for (const basePath of ['/webtools/shop', '/webtools/shop/', 'webtools/shop']) {
      const origin = await openServer(t, createGateway(manifest, { ...options, basePath }));
      assert.deepEqual(await statuses(origin), [200, 200, 200, 404, 404, 404, 404], basePath);
      await refusalOf(fetch(origin), 404, 'WEBTOOL_NOT_FOUND');
      const put = await fetch(new URL('/webtools/shop', origin), { method: 'PUT' });
      assert.equal(put.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
      await refusalOf(post(`${origin}webtools/shop`, {}), 400, 'SCHEMA_ERROR');
    }
  });

  it('serves when it is mounted in a Hono application', async (t) => {
    const app = new Hono().mount('/webtools/shop', createGateway(manifest, options));
    const origin = await openServer(t, (request) => app.fetch(request));
    assert.deepEqual(await statuses(origin), [200, 200, 200, 404, 404, 404, 404]);
    await refusalOf(post(`${origin}webtools/shop`, {}), 400, 'SCHEMA_ERROR');
  });
});

describe('createGateway, with curl', { skip: skipWithout('curl') }, () => {
  const curl = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)('curl', ['-s', '-S', '--noproxy', '*', ...args])).stdout;

  it('handles the examples of the specification', async (t) => {
    const { url } = await serveWebtool(t);
    const metadata = JSON.parse(await curl(url)) as WebtoolMetadata;
    assert.deepEqual(JSON.parse(await curl(`${url}${metadata.version}`)), metadata);
    const call =
      '{ "sessionId": "unique-session-identifier", "version": "1.0.0", "action": "search", "config": {}, "request": { "q": "tea" } }';
    const answer = await curl('-X', 'POST', url, '-H', 'Content-Type: application/json', '-d', call);
    assert.equal((JSON.parse(answer) as { status: string }).status, 'ok');
    const rejected = await curl('-i', url, '-d', call);
    assert.match(rejected, /^HTTP\/1\.1 415 .*"code":"UNSUPPORTED_MEDIA_TYPE"/s);
    assert.match(await curl('-i', '-I', `${url}7`), /^HTTP\/1\.1 404 .*content-type: application\/json/is);
  });
});
