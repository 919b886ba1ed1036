import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { readSite } from '../../src/build.js';
import { pagesOf, redirectTo, startSite, toolPage, type Reply } from '../support/crawl/site-server.js';

const text = (body: string): Reply => ({ headers: { 'content-type': 'text/plain' }, body });
const xml = (body: string | Uint8Array): Reply => ({ headers: { 'content-type': 'application/xml' }, body });

const locations = (urls: readonly string[], entry: string): string =>
  urls.map((url) => `<${entry}><loc>${url}</loc></${entry}>`).join('\n');
const urlset = (...urls: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations(urls, 'url')}</urlset>`;
const index = (...urls: readonly string[]): string => `<sitemapindex>${locations(urls, 'sitemap')}</sitemapindex>`;

const pathsOf = ({ pages }: { readonly pages: readonly { readonly path: string }[] }): readonly string[] =>
  pages.map(({ path }) => path);

describe('readSite and robots.txt', () => {
  it('does not request what robots.txt disallows for all robots or for webmcp-forms', async () => {
    const site = await startSite(
      pagesOf({
        '/robots.txt': text(
          'User-agent: *\nDisallow: /all\n\nUser-agent: webmcp-forms\nDisallow: /private\nAllow: /private/yes',
        ),
        '/': toolPage('home', '/all', '/private/no', '/private/yes', '/moved', '/pr%69vate/no', '/%2570rivate/no'),
        '/all': toolPage('all'),
        '/moved': redirectTo('/private/no'),
        '/private/no': toolPage('no'),
        '/private/yes': toolPage('yes'),
      }),
    );
    const result = await readSite([`${site.origin}/`], { depth: 1 });
    assert.deepEqual(pathsOf(result), ['/', '/all', '/private/yes']);
    assert.deepEqual(
      result.problems.map(({ kind }) => kind),
      ['robots', 'robots', 'robots', 'robots'],
    );
    assert.ok(!site.requests.some((each) => /%|private\/no/.test(each)), 'a redirect was followed');
    assert.match(
      result.problems.find(({ url }) => url.endsWith('/moved'))?.reason ?? '',
      /^it redirects to \/private\/no, and robots\.txt disallows it$/,
    );
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], { depth: 1, ignoreRobots: true })).length, 4);
  });

  it('does not follow a redirect to a link that could change something, or to an excluded path', async () => {
    const site = await startSite(
      pagesOf({
        '/': toolPage('home', '/old', '/away', '/kept'),
        '/old': redirectTo('/items/7/d%65lete'),
        '/away': redirectTo('/%61dmin/'),
        '/kept': redirectTo('/new'),
        '/new': toolPage('new'),
      }),
    );
    const { pages, problems } = await readSite([`${site.origin}/`], { depth: 1, exclude: ['/admin/**'] });
    assert.deepEqual(pathsOf({ pages }), ['/', '/new']);
    assert.deepEqual(problems.map(({ kind, reason }) => `${kind}: ${reason}`).sort(), [
      'action: it redirects to /items/7/d%65lete, and the link could change something or log out',
      'redirect: it redirects to /%61dmin/, and its path is excluded',
    ]);
    assert.ok(!site.requests.some((each) => /%/.test(each)));
  });

  it('compares queries and repeated slashes as a server may read them, also after redirects', async () => {
    const links = ['/?d%6f=export', '/~joe', '/moved', '/slashes', '/?u=http://a.example/'];
    const site = await startSite(
      pagesOf({
        '/robots.txt': text('User-agent: *\nDisallow: /*?do=export\nDisallow: /private\nDisallow: /%7Ejoe'),
        '/': toolPage('home', ...links),
        '/moved': redirectTo('/?%64o=export'),
        '/slashes': redirectTo('/.//private'),
        '/?u=http://a.example/': toolPage('query'),
      }),
    );
    const { pages, problems } = await readSite([`${site.origin}/`], { depth: 1 });
    assert.deepEqual(pathsOf({ pages }), ['/', '/?u=http://a.example/']);
    assert.deepEqual(problems.map(({ kind, url }) => `${kind} ${url.slice(site.origin.length)}`).sort(), [
      'robots /?d%6f=export',
      'robots /moved',
      'robots /slashes',
      'robots /~joe',
    ]);
    assert.ok(!site.requests.some((each) => /export|joe|private/.test(each)), site.requests.join());
  });

  it('requests neither robots.txt nor a sitemap from a link that could change something', async () => {
    const site = await startSite(({ url = '' }) => {
      if (url === '/robots.txt') return redirectTo('/doLogout');
      if (url === '/moved.xml') return redirectTo('/logout');
      if (url === '/index.xml') return xml(index('/delete.xml'));
      return url === '/' ? toolPage('home') : { status: 404 };
    });
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`])), ['/']);
    await assert.rejects(
      readSite([`${site.origin}/moved.xml`]),
      /moved\.xml: it redirects to \/logout, and the link could change something or log out/,
    );
    await assert.rejects(
      readSite([`${site.origin}/index.xml`]),
      /index\.xml: the index names \/delete\.xml, and the link could change something or log out/,
    );
    assert.ok(!site.requests.some((each) => /logout|delete/i.test(each)), site.requests.join());
  });

  it('does not follow a redirect of robots.txt to an excluded path, or to a path with the value of a cookie', async () => {
    const session = 'b7f3a1c95e2d4860';
    for (const location of ['/private/robots.txt', `/s/${session}/robots.txt`]) {
      const site = await startSite(({ url = '' }) =>
        url === '/robots.txt' ? redirectTo(location) : url === '/' ? toolPage('home') : text('User-agent: *'),
      );
      const options = { exclude: ['private/'], headers: { cookie: `sid=${session}` } };
      assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], options)), ['/']);
      assert.deepEqual(site.requests, ['GET /robots.txt', 'GET /']);
    }
  });

  it('advises --ignore-robots for a site that disallows everything', async () => {
    const site = await startSite(pagesOf({ '/robots.txt': text('User-agent: *\nDisallow: /'), '/': toolPage('home') }));
    await assert.rejects(readSite([`${site.origin}/`]), {
      message: `Cannot read ${site.origin}/: robots.txt disallows it. If the site is yours, allow it there for the user agent webmcp-forms, or use --ignore-robots.`,
    });
    assert.deepEqual(site.requests, ['GET /robots.txt']);
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], { ignoreRobots: true })), ['/']);
  });

  it('allows all pages if robots.txt is missing, and disallows all if its status is 500', async () => {
    for (const [status, allowed] of [
      [404, true],
      [403, true],
      [500, false],
    ] as const) {
      const site = await startSite(pagesOf({ '/robots.txt': { status }, '/': toolPage('home') }));
      const reading = readSite([`${site.origin}/`], { retryDelayMs: 1 });
      if (allowed) assert.deepEqual(pathsOf(await reading), ['/'], `${status}`);
      else await assert.rejects(reading, /robots\.txt has the status 500, so its rules are unknown\. Try again later/);
    }
  });

  it('allows nothing if the rules of robots.txt with wildcards are too long to compare each URL with them', async () => {
    const rule = `Disallow: /${'*a'.repeat(500)}b\n`;
    const site = await startSite(pagesOf({ '/robots.txt': text(`User-agent: *\n${rule.repeat(50)}`) }));
    await assert.rejects(
      readSite([`${site.origin}/${'a'.repeat(8000)}`]),
      /the rules of robots\.txt with wildcards have more than 50000 characters, so its rules are unknown\. Try again/,
    );
  });

  it('sends one request at a time if robots.txt has a Crawl-delay', { tags: 'long' }, async () => {
    let [open, most] = [0, 0];
    const site = await startSite(async ({ url }) => {
      if (url === '/robots.txt') return text('User-agent: *\nCrawl-delay: 0.2');
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return url === '/' ? toolPage('home', '/a', '/b', '/c') : toolPage('other');
    });
    await readSite([`${site.origin}/`], { depth: 1, concurrency: 4 });
    assert.deepEqual([site.requests.length, most], [5, 1]);
  });
});

describe('readSite and sitemaps', () => {
  it('reads the sitemaps of robots.txt with their indexes, compressed or not', async () => {
    const site = await startSite(({ url = '', headers: { host } }) => {
      const origin = `http://${host}`;
      const replies: Readonly<Record<string, Reply | string>> = {
        '/robots.txt': text(`Sitemap: ${origin}/maps.xml\nSitemap: https://cdn.example/other.xml`),
        '/maps.xml': xml(index('/one.xml', `${origin}/two.xml.gz`, '/maps.xml')),
        '/one.xml': xml(
          urlset(`${origin}/?a=1&amp;b=2`, 'https://other.example/', `${origin}/a`).replace('/a<', '/<![CDATA[a]]><'),
        ),
        '/two.xml.gz': {
          headers: { 'content-type': 'application/gzip' },
          body: gzipSync(urlset(`${origin}/b`, `${origin}/gone`)),
        },
      };
      return replies[url] ?? (url === '/gone' ? { status: 410 } : toolPage(`p${url.length}`));
    });
    const result = await readSite([`${site.origin}/`], { sitemap: true });
    assert.deepEqual(pathsOf(result), ['/', '/?a=1&b=2', '/a']);
    assert.deepEqual(
      result.problems.map(({ kind }) => kind),
      ['duplicate', 'status'],
    );
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/two.xml.gz`])), ['/b']);
  });

  it('reads sitemaps in text format, from robots.txt or as a named URL, compressed or not', async () => {
    const site = await startSite(({ url = '', headers: { host } }) => {
      const lines = `\ufeffhttp://${host}/a\r\n\r\nhttps://other.example/\n  http://${host}/?b=1&c=2 \n`;
      if (url === '/robots.txt') return text(`Sitemap: http://${host}/urls\nSitemap: http://${host}/more.txt.gz`);
      if (url === '/urls') return text(lines);
      return url === '/more.txt.gz' ? { body: gzipSync(`http://${host}/z`) } : toolPage(`t${url.replace(/\W/g, '')}`);
    });
    const expected = ['/', '/?b=1&c=2', '/a', '/z'];
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], { sitemap: true })), expected);
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/more.txt.gz`])), ['/z']);
  });

  it('rejects a text file that is not a list of URLs', async () => {
    const site = await startSite(({ url = '', headers: { host } }) => {
      const first = `http://${host}/a\n`;
      return url === '/robots.txt'
        ? { status: 404 }
        : text(url === '/long.txt' ? first + 'x'.repeat(50_000) : `${first}/b\n`);
    });
    for (const file of ['/relative.txt', '/long.txt'])
      await assert.rejects(
        readSite([site.origin + file]),
        /it is not a sitemap: it is not XML, and its line 2 is not a URL\. Name the URL of a sitemap, or use --depth\.$/,
      );
  });

  it('requests no excluded sitemap that robots.txt or an index names', async () => {
    const site = await startSite(({ url = '', headers: { host } }) => {
      if (url === '/robots.txt') return text('Sitemap: /private/map.xml\nSitemap: /Sitemaps/all.xml');
      if (url === '/Sitemaps/all.xml') return xml(index('/Private/two.xml', '/one.xml'));
      return url === '/one.xml' ? xml(urlset(`http://${host}/a`)) : toolPage(`t${url.length}`);
    });
    const exclude = ['private/'];
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], { sitemap: true, exclude })), ['/', '/a']);
    assert.ok(!site.requests.some((each) => /private/i.test(each)), site.requests.join());
    await assert.rejects(readSite([`${site.origin}/`], { sitemap: true, exclude: [...exclude, 'sitemaps/'] }), {
      message: `Cannot read the sitemap ${site.origin}/private/map.xml: its path is excluded. Change --exclude, or name the URL of a sitemap.`,
    });
  });

  it('rejects a sitemap that is missing, broken, empty, of another format or of another site', async () => {
    const site = await startSite(
      pagesOf({
        '/broken.xml': xml('<urlset><url><loc>/a</url></urlset>'),
        '/feed.xml': xml('<rss><channel/></rss>'),
        '/empty.xml': xml(urlset()),
        '/other.xml': xml(urlset('https://shop.example/a')),
        '/entities.xml': xml(
          `<!DOCTYPE u [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>`,
        ),
      }),
    );
    for (const [file, message] of [
      ['/none.xml', /Cannot read the sitemap http:\S+\/none\.xml: the status is 404\. Name the sitemap by its URL/],
      ['/broken.xml', /broken\.xml: it is not valid XML \(/],
      ['/entities.xml', /entities\.xml: it is not valid XML \(/],
      ['/feed.xml', /feed\.xml: it is not a sitemap: its root is <rss>\. Name the URL of a sitemap/],
      ['/empty.xml', /empty\.xml: it has no URLs\. Let the site write URLs of http:/],
      [
        '/other.xml',
        /it has only URLs of other origins, such as https:\/\/shop\.example\/a\. Let the site write URLs of http:/,
      ],
    ] as const)
      await assert.rejects(readSite([site.origin + file]), message);
    await assert.rejects(readSite([`${site.origin}/`], { sitemap: true }), /\/sitemap\.xml: the status is 404/);
  });

  it('reads none of 100,000 URLs, or some of them with allowPartial', { tags: 'long' }, async () => {
    const site = await startSite(({ url = '', headers: { host } }) => {
      if (url === '/sitemap.xml')
        return xml(urlset(...Array.from({ length: 100_000 }, (_, at) => `http://${host}/p/${at}`)));
      return url.startsWith('/p/') ? toolPage(`p${url.slice(3)}`) : { status: 404 };
    });
    await assert.rejects(readSite([`${site.origin}/sitemap.xml`]), {
      message: `Cannot read the sitemap ${site.origin}/sitemap.xml: it has 100000 URLs, and the limit is 1000 pages. Increase --max-pages, or use --allow-partial.`,
    });
    assert.equal(site.requests.length, 2);
    const { pages, isComplete } = await readSite([`${site.origin}/sitemap.xml`], { maxPages: 3, allowPartial: true });
    assert.deepEqual([pathsOf({ pages }), isComplete], [['/p/0', '/p/1', '/p/2'], false]);
  });

  it('stops reading a compressed sitemap at the maximum size', { tags: 'long' }, async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from('<urlset>'), Buffer.alloc(60_000_000, ' ')]));
    const site = await startSite(({ url }) => {
      if (url === '/file.xml.gz') return xml(bomb);
      if (url === '/stream.xml') return { headers: { 'content-encoding': 'gzip' }, body: bomb };
      return { status: 404 };
    });
    for (const file of ['/file.xml.gz', '/stream.xml'])
      await assert.rejects(readSite([site.origin + file]), /it has more than 52 MB\. Split it\./, file);
  });

  it('rejects a compressed sitemap that is cut, truncated or broken', async () => {
    const urls = Array.from({ length: 5000 }, (_, at) => `/${createHash('sha256').update(String(at)).digest('hex')}`);
    const body = gzipSync(urlset(...urls));
    const broken = Buffer.from([0x1f, 0x8b, 0xff, 0xff]);
    const site = await startSite(({ url }, response) => {
      if (url === '/truncated.xml.gz') return xml(body.subarray(0, 50_000));
      if (url === '/broken.xml.gz') return xml(broken);
      if (url !== '/cut.xml.gz') return { status: 404 };
      response.writeHead(200, { 'content-length': body.length });
      response.write(body.subarray(0, 50_000), () => setTimeout(() => response.destroy(), 50));
    });
    for (const [file, message] of [
      ['/cut.xml.gz', /cut\.xml\.gz: the connection failed \(ECONNRESET\)/],
      ['/truncated.xml.gz', /truncated\.xml\.gz: its compression is invalid\. Check the sitemap/],
      ['/broken.xml.gz', /broken\.xml\.gz: its compression is invalid\. Check the sitemap/],
    ] as const)
      await assert.rejects(readSite([site.origin + file], { retryDelayMs: 1 }), message);
  });

  it('rejects a sitemap that is nested too deep, and an index of too many sitemaps', { tags: 'long' }, async () => {
    const site = await startSite(({ url = '' }) => {
      if (url === '/deep.xml') return xml(`<urlset>${'<a>'.repeat(200_000)}`);
      const number = Number(/\d+/.exec(url)?.[0]);
      return url.startsWith('/s') ? xml(index('/s0.xml', `/s${number + 1}.xml`)) : { status: 404 };
    });
    await assert.rejects(
      readSite([`${site.origin}/deep.xml`]),
      /deep\.xml: its elements have more than 100 levels\. Check the sitemap/,
    );
    await assert.rejects(readSite([`${site.origin}/s0.xml`]), /the index names more than 1000 sitemaps/);
  });

  it('reads a page once that both a link and the sitemap name', async () => {
    const site = await startSite(({ url = '', headers: { host } }) => {
      if (url === '/sitemap.xml') return xml(urlset(`http://${host}/a#x`, `http://${host}/a`, `http://${host}/`));
      return url === '/robots.txt' ? { status: 404 } : toolPage(`p${url.length}`, '/a', '/');
    });
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], { sitemap: true, depth: 2 })), ['/', '/a']);
    assert.deepEqual(site.requests.toSorted(), ['GET /', 'GET /a', 'GET /robots.txt', 'GET /sitemap.xml']);
  });
});
