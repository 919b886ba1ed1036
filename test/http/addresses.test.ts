import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { isPrivateHost, isPublicAddress } from '../../src/http/addresses.js';
import { createNodeFetch, type Lookup } from '../../src/http/node-fetch.js';
import { call, failureOf, pageOf } from '../support/gateway/calls.js';
import { openSite, type Site } from '../support/gateway/recording.js';

const html = pageOf('method=post action=/sent', '<input name=a value=1>');

const privateAddresses =
  `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.1.2.3 169.254.169.254 172.16.0.1 192.168.0.1 192.0.0.1
  192.0.2.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 fe80::1 fc00::1
  fd12::1 fec0::1 ff02::1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1 2001:db8::1 100::1 3fff::1 5f00::1 4000::1
  ::ffff:0:7f00:1 2001:20::1 192.88.99.1 198.51.100.1 203.0.113.1 239.255.255.250`.split(/\s+/);

describe('the check of an address', () => {
  for (const address of privateAddresses) {
    it(`rejects the private address ${address}`, () => {
      assert.equal(isPublicAddress(address), false);
      assert.equal(isPrivateHost(address.includes(':') ? `[${address}]` : address), true);
    });
  }
  for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:1.1.1.1']) {
    it(`accepts the public address ${address}`, () => assert.equal(isPublicAddress(address), true));
  }
  for (const host of ['localhost', 'a.localhost', 'LOCALHOST.', 'printer.local', 'db', 'x.internal']) {
    it(`detects the private host ${host} by its name`, () => assert.equal(isPrivateHost(host), true));
  }
  it('does not detect a public name as private', () => assert.equal(isPrivateHost('site.example'), false));
});

describe('a call to a private address', () => {
  const urls = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:7f00:1]',
    'localhost',
    '169.254.169.254',
  ];
  for (const host of urls) {
    it(`sends no request to ${host}`, async () => {
      const fetch = (): Promise<Response> => assert.fail('a request was sent');
      const options = { html, pageUrl: `http://${host}/`, fetch, allowPrivateAddresses: false };
      await failureOf(call(options), 'upstream-refused-address');
    });
  }

  it('does not follow a redirect', async () => {
    const sent: string[] = [];
    const fetch = (url: string): Promise<Response> => {
      sent.push(url);
      return Promise.resolve(new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/meta' } }));
    };
    const origins = ['http://169.254.169.254'];
    const options = { html, pageUrl: 'http://site.example/', fetch, origins, allowPrivateAddresses: false };
    await failureOf(call(options), 'upstream-refused-address');
    assert.deepEqual(sent, ['http://site.example/sent']);
  });
});

describe('createNodeFetch', () => {
  const hosts = `127.0.0.1 2130706433 017700000001 0x7f000001 0x7f.1 0177.0.0.1 127.1 127.0.0.1. 0.0.0.0 0 [::1] [::]
    [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::127.0.0.1] [::ffff:0:7f00:1] [64:ff9b::7f00:1]
    [2002:7f00:1::] [2001::1] [fe80::1] [fd00::1] 169.254.169.254 10.0.0.1 100.64.0.1 192.0.2.1 224.0.0.1 localhost ①②⑦.⓪.0.1`;
  for (const host of hosts.split(/\s+/)) {
    it(`does not connect to http://${host}/`, async (t) => {
      const sockets: unknown[] = [];
      const site = await openSite((_, response) => response.end());
      t.onTestFinished(site.close);
      site.server.on('connection', (socket) => sockets.push(socket));
      const url = `http://${host}:${new URL(site.origin).port}/`;
      const error = await createNodeFetch()(url, {}).catch((cause: unknown) => cause);
      assert.ok(error instanceof Error);
      assert.equal((error.cause as { readonly code?: string }).code, 'upstream-refused-address');
      assert.deepEqual(sockets, []);
    });
  }

  it('checks the address of each request, and of the open connection', async (t) => {
    const site = await openSite((_, response) => response.end());
    t.onTestFinished(site.close);
    const checked: string[] = [];
    const fetch = createNodeFetch({ allows: (address) => checked.push(address) > 0 && address === '127.0.0.1' });
    await fetch(site.origin, {});
    const error = await fetch('http://127.0.0.2:8080/', {}).catch((cause: unknown) => cause);
    assert.equal((error as { readonly cause?: { readonly code?: string } }).cause?.code, 'upstream-refused-address');
    assert.deepEqual(checked, ['127.0.0.1', '127.0.0.1', '127.0.0.2']);
  });

  it('closes a connection that has reached another address than the checked one', async (t) => {
    const site = await openSite((_, response) => response.end());
    t.onTestFinished(site.close);
    const answers = [true, false];
    const fetch = createNodeFetch({ allows: () => answers.shift() ?? false });
    await assert.rejects(fetch(site.origin, {}));
    assert.deepEqual(site.requests, []);
  });

  it('does not use the proxies of the environment', async (t) => {
    const proxy = await openSite((_, response) => response.end('proxy'));
    t.onTestFinished(proxy.close);
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy.origin;
    t.onTestFinished(() => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    await assert.rejects(createNodeFetch()('http://127.0.0.1:1/', {}));
    assert.deepEqual(proxy.requests, []);
  });
});

describe('a call to a host name', () => {
  const createLookup = (...results: readonly (readonly string[])[]): Lookup & { lookups: number } =>
    (() => {
      const lookup = Object.assign(
        ((_, __, callback) => {
          const addresses = results[Math.min(lookup.lookups++, results.length - 1)] ?? [];
          callback(
            null,
            addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          );
        }) as Lookup,
        { lookups: 0 },
      );
      return lookup;
    })();

  async function openTestSite(t: TestContext, location?: string): Promise<Site & { readonly port: string }> {
    const site = await openSite(({ method }, response) =>
      location === undefined || method === 'GET' ? response.end('here') : response.writeHead(302, { location }).end(),
    );
    t.onTestFinished(site.close);
    return { ...site, port: new URL(site.origin).port };
  }

  for (const addresses of [['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['93.184.216.34', '127.0.0.1'], []]) {
    it(`sends no request if the host has the addresses ${addresses.join(' and ') || '(none)'}`, async (t) => {
      const { port, requests } = await openTestSite(t);
      const fetch = createNodeFetch({ lookup: createLookup(addresses) });
      const options = { html, pageUrl: `http://site.example:${port}/`, fetch, allowPrivateAddresses: false };
      await failureOf(call(options), 'upstream-refused-address');
      assert.deepEqual(requests, []);
    });
  }

  it('looks the host up once and connects to the checked address', async (t) => {
    const { port, requests } = await openTestSite(t);
    const lookup = createLookup(['127.0.0.1'], ['127.0.0.2']);
    const checked: string[] = [];
    const allows = (address: string): boolean => checked.push(address) > 0 && address === '127.0.0.1';
    const fetch = createNodeFetch({ lookup, allows });
    const options = { html, pageUrl: `http://site.example:${port}/`, fetch, allowPrivateAddresses: false };
    assert.equal((await call(options)).text, 'here');
    assert.deepEqual([lookup.lookups, checked, requests.length], [1, ['127.0.0.1', '127.0.0.1'], 1]); // also of the open connection
    assert.equal(requests[0]?.headers.host, `site.example:${port}`);
  });

  it('does not follow a redirect to a host that has become private', async (t) => {
    const other = await openTestSite(t);
    const { port, requests } = await openTestSite(t, `http://other.example:${other.port}/`);
    const lookup = createLookup(['127.0.0.1'], ['127.0.0.2']);
    const fetch = createNodeFetch({ lookup, allows: (address) => address === '127.0.0.1' });
    const options = { html, pageUrl: `http://site.example:${port}/`, fetch, allowPrivateAddresses: false };
    const origins = [`http://other.example:${other.port}`];
    await failureOf(call({ ...options, origins }), 'upstream-refused-address');
    assert.deepEqual([requests.length, other.requests.length], [1, 0]);
  });

  it('reports a host that does not resolve as unreachable', async () => {
    const lookup: Lookup = (hostname, _, callback) => {
      callback(Object.assign(new Error(`ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }), []);
    };
    const options = {
      html,
      pageUrl: 'http://site.example/',
      fetch: createNodeFetch({ lookup }),
      allowPrivateAddresses: false,
    };
    await failureOf(call(options), 'upstream-unreachable');
  });

  it('sends a submission once, whatever its method and the status', async (t) => {
    for (const method of ['get', 'post']) {
      for (const status of [408, 421, 425, 429, 500, 503]) {
        const site = await openSite((_, response) => response.writeHead(status, { connection: 'close' }).end('Later.'));
        t.onTestFinished(site.close);
        const fetch = createNodeFetch({ allowPrivateAddresses: true });
        const form = pageOf(`method=${method} action=/sent`, '<input name=a value=1>');
        const { status: received, text } = await call({ html: form, pageUrl: site.origin, fetch });
        assert.deepEqual([received, text, site.requests.length], [status, 'Later.', 1], method);
        assert.deepEqual(
          site.requests.map(({ url = '', body, headers }) => [url, body, headers['content-length']]),
          [method === 'get' ? ['/sent?a=1', '', undefined] : ['/sent', 'a=1', '3']],
        );
      }
    }
  });
});
