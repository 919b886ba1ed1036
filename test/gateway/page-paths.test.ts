import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'vitest';
import { run } from '../../gateway/src/cli/cli.js';
import { createGateway, LiveManifest } from '../../gateway/src/index.js';
import { openStore } from '../../gateway/src/node/index.js';
import { pageUrl } from '../../src/headless/known-tool.js';
import { webtoolHash } from '../../src/webtool-client/hash.js';
import { Collector } from '../support/cli/running.js';
import { releaseOf } from '../support/gateway/releases.js';
import { makeFolder, manifestText } from '../support/gateway/serve-process.js';

const outside =
  `../~other/admin.html .. . ./a.html a/../../b a/.. a/. %2e%2e/admin .%2E/admin %2E/a a/%2e%2e/b ..\\admin
  a\\..\\..\\b ..%2fadmin ..%5cadmin a%2F..%2F..%2Fb /../admin /%2e%2e%5Cadmin a#/../../b ../admin?q=1 ..;/admin a/..;x/b http://evil.example/ //evil.example/ a//b`.split(
    /\s+/,
  );
const inside = [
  'index.html',
  'a.html',
  '...',
  '.well-known/a',
  'a..b/c',
  '..a/b',
  'a?next=../b',
  'a?q=%2e%2e/',
  'a%252e/',
];

const manifestOf = (path: string): ConstructorParameters<typeof LiveManifest>[0] => ({
  name: 'shop',
  description: 'A shop.',
  version: '1.0.0',
  pages: [{ path, tools: [] }],
});

describe('the path of a page', () => {
  for (const path of outside) {
    it(`is refused if it could leave the site's folder: ${path}`, () => {
      assert.throws(() => new LiveManifest(manifestOf(path)), {
        name: 'TypeError',
        message: /^The manifest is invalid: the path ".+" of a page (?:has|is) .+ Use the output of/,
      });
      const live = new LiveManifest(manifestOf('a.html'));
      assert.throws(() => live.update(manifestOf(path)), TypeError);
      assert.equal(live.current.pages[0]?.path, 'a.html');
    });
  }

  for (const path of inside) {
    it(`is accepted if it stays in the site's folder: ${path}`, () => {
      new LiveManifest(manifestOf(path));
      assert.match(pageUrl(new URL('https://shop.example/~me/'), path), /^https:\/\/shop\.example\/~me\//);
    });
  }

  it('is checked by webmcp-gateway serve and release', async () => {
    const text = manifestText().replace('"shop.html"', '"../~other/shop.html"');
    for (const args of [['serve', '--base-url', 'https://shop.example/~me/', '--port', '0'], ['release']]) {
      const cwd = await makeFolder({ 'webmcp.json': text });
      const [stdout, stderr] = [new Collector(), new Collector()];
      const code = await run([...args, 'webmcp.json'], { stdin: Readable.from([]), stdout, stderr, cwd, env: {} });
      assert.equal(code, 2, stderr.text);
      assert.match(stderr.text, /^webmcp-gateway: webmcp\.json[^\n]*\.\.\/~other\/shop\.html[^\n]*\n$/);
    }
  });

  it('is checked in a release', async () => {
    const folder = await makeFolder();
    const { storage, close } = await openStore(folder, 'releases');
    const release = await releaseOf({ version: '0.9.0' });
    const hash = await webtoolHash(release.metadata);
    const manifest = { ...release.manifest, pages: [{ path: '../admin.html', tools: [] }] };
    await storage.setItemRaw('shop:0.9.0.json', JSON.stringify({ ...release, hash, manifest }));
    const handle = createGateway(manifestOf('a.html'), { baseUrl: 'https://shop.example/', versions: storage });
    const response = await handle(new Request('http://localhost/0.9.0'));
    const { error } = (await response.json()) as {
      readonly error: { readonly code: string; readonly message: string };
    };
    assert.deepEqual([response.status, error.code], [422, 'CONFIG_ERROR']);
    assert.match(error.message, /^Version "0\.9\.0" of "shop" is not served: the path "\.\.\/admin\.html"/);
    await close();
  });
});
