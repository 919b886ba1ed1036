import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { compileHtml, createManifest, readSite, UsageError, type ReadSiteOptions } from '../../src/build.js';
import { SiteClient } from '../../src/crawl/client/site-client.js';
import { RunSecrets } from '../../src/crawl/secrets.js';
import { pagesOf, redirectTo, startSite, toolPage } from '../support/crawl/site-server.js';

const quick: ReadSiteOptions = { retryDelayMs: 1 };

const pathsOf = ({ pages }: { readonly pages: readonly { readonly path: string }[] }): readonly string[] =>
  pages.map(({ path }) => path);

type Problems = Pick<Awaited<ReturnType<typeof readSite>>, 'problems'>;

const reasonsOf = ({ problems }: Problems, origin: string): Readonly<Record<string, string>> =>
  Object.fromEntries(problems.map(({ url, reason }) => [url.replace(origin, ''), reason]));

const kindsOf = (origin: string, { problems }: Problems): Readonly<Record<string, string>> =>
  Object.fromEntries(problems.map(({ kind, url }) => [url.replace(origin, ''), kind]));

describe('readSite', () => {
  it('reads the named pages, whose paths keep their queries', async () => {
    const site = await startSite(
      pagesOf({ '/?a=1&b=%C3%A4': toolPage('home'), '/doku.php?id=start': toolPage('start') }),
    );
    const { pages, isComplete } = await readSite([
      `${site.origin}/?a=1&b=%C3%A4#top`,
      `${site.origin}/doku.php?id=start`,
    ]);
    assert.deepEqual(pathsOf({ pages }), ['/?a=1&b=%C3%A4', '/doku.php?id=start']);
    assert.equal(isComplete, true);
    assert.match((await pages[1]?.read()) ?? '', /toolname="start"/);
    assert.deepEqual(site.requests.toSorted(), ['GET /?a=1&b=%C3%A4', 'GET /doku.php?id=start', 'GET /robots.txt']);
  });

  it('reads a named page once that another named URL redirects to, and reports the redirect only for the other URL', async () => {
    const site = await startSite(
      pagesOf({ '/login': { status: 302, headers: { location: '/home' } }, '/home': toolPage('home') }),
    );
    for (const order of [
      ['/login', '/home'],
      ['/home', '/login'],
    ]) {
      const read = await readSite(order.map((path) => site.origin + path));
      assert.deepEqual(pathsOf(read), ['/home']);
      assert.deepEqual(Object.keys(kindsOf(site.origin, read)), order[0] === '/home' ? ['/login'] : []);
    }
  });

  it('follows links of the same origin to a depth, except files, actions and links with nofollow', async () => {
    const links = ['/a?x=1#f', 'https://other.example/', '/logo.png', '/logout', '/x?_wpnonce=1', 'mailto:a@b.example'];
    const nofollow = '<a href="/hidden" rel="external nofollow">h</a><iframe src="/frame"></iframe>';
    const site = await startSite(
      pagesOf({
        '/': toolPage('home', ...links) + nofollow,
        '/a?x=1': toolPage('a', '/b', '/'),
        '/b': toolPage('b', '/c'),
        '/frame': toolPage('frame'),
      }),
    );
    const one = await readSite([`${site.origin}/`], { depth: 1 });
    assert.deepEqual(pathsOf(one), ['/', '/a?x=1', '/frame']);
    assert.deepEqual(kindsOf(site.origin, one), { '/logout': 'action', '/x?_wpnonce=1': 'action' });
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], { depth: 2 })), ['/', '/a?x=1', '/b', '/frame']);
    assert.ok(!site.requests.some((each) => /logout|nonce|hidden|png/.test(each)));
  });

  it('decodes paths and queries before it decides whether a link is an action, a file or excluded', async () => {
    const actions = [
      '/lo%67out',
      '/items/7/d%65lete',
      '/x%2Fdelete',
      '/d%2565lete',
      '/x?do=%2564elete',
      '/x?n%256fnce=1',
      '/items/7/deleteItem',
      '/doLogOut',
      '/log%20out',
      '/removeFromCart',
      '/XMLDelete',
      '/x?action=deletePost',
      '/a/%ff%6cogout',
      '/x?do=%25ff%2564elete',
      '/%c1%acogout',
      '/%e0%81%acogout',
      '/%u006cogout',
      '/log%00out.',
      '/app;do=delete',
      '/LOGOUT;v=1.0',
      '/x?a=1;action=delete',
      '/connect/endsession',
      '/member?action=dologout',
      '/course?id=2&sesskey=a&hide=1',
      '/course?id=2;sesskey=a',
      '/deletepost.php?id=1',
      '/items/deleteall',
      '/adminlogout',
    ];
    const others = [
      ...[
        '/logo%2Epng',
        '/dr%61fts/1',
        '/dr%61fts%ff/../drafts/2',
        '//drafts/3',
        '/drafts;a=1/4',
        '/x/%252e%252e/drafts/5',
        '/wiki/What%3F/ed%69t',
        '/x/..%5cdrafts/6',
      ],
      '/page%202',
      '/deleted',
      '/stain-remover',
      '/catalogoutlets',
    ];
    const site = await startSite(({ url = '' }) =>
      url === '/robots.txt'
        ? { status: 404 }
        : toolPage(`t${url.length}`, ...(url === '/' ? [...actions, ...others] : [])),
    );
    const result = await readSite([`${site.origin}/`], { depth: 1, exclude: ['drafts/', '**/edit'] });
    assert.deepEqual(
      result.problems.map(({ kind, url }) => [kind, url.slice(site.origin.length)]),
      actions.map((path) => ['action', path]),
    );
    const read = ['/', '/page%202', '/deleted', '/stain-remover', '/catalogoutlets'];
    assert.deepEqual(site.requests.toSorted(), ['/robots.txt', ...read].map((path) => `GET ${path}`).toSorted());
  });

  it('excludes paths in any case, with and without a slash at the end', async () => {
    const excluded = [
      ...['/Drafts', '/drafts', '/DRAFTS/1', '/drafts/?page=2', '/Drafts?page=3', '/admin', '/ADMIN/', '/caf%C3%89/1'],
      ...['/calendar?month=2', '/Calendar/?MONTH=3', '/moved'],
    ];
    const read = ['/', '/admin/users', '/calendar', '/calendar/?year=1', '/draft'];
    const site = await startSite(({ url = '' }) => {
      if (url === '/robots.txt') return { status: 404 };
      if (url === '/moved') return redirectTo('/Drafts');
      return toolPage(`t${url.length}`, ...(url === '/' ? [...excluded, ...read] : []));
    });
    const exclude = ['drafts/', '/Admin', 'calendar?month=*', '/Café/'];
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], { depth: 1, exclude })), read);
    assert.deepEqual(site.requests.filter((each) => !read.includes(each.slice(4))).toSorted(), [
      'GET /moved',
      'GET /robots.txt',
    ]);
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], { depth: 1, exclude: ['/'] })), ['/']);
  });

  it('resolves links against the base URL of the page, and removes session IDs', async () => {
    const base =
      '<base href="/shop/"><a href="list?PHPSESSID=abc&page=2&utm_source=x">l</a><a href="cart;jsessionid=AB">c</a>';
    const site = await startSite(
      pagesOf({ '/': base + toolPage('home'), '/shop/list?page=2': toolPage('list'), '/shop/cart': toolPage('cart') }),
    );
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], { depth: 1 })), [
      '/',
      '/shop/cart',
      '/shop/list?page=2',
    ]);
  });

  it('returns the same result for every concurrency', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `/p${index}`);
    const site = await startSite(async ({ url = '' }) => {
      if (url === '/') return toolPage('home', ...names);
      await new Promise((resolve) => setTimeout(resolve, (Number(url.slice(2)) * 7) % 5));
      return url.startsWith('/p') ? toolPage('same') : { status: 404 };
    });
    const results = [];
    for (const concurrency of [1, 3, 12]) results.push(await readSite([`${site.origin}/`], { depth: 1, concurrency }));
    const texts = results.map(({ pages, problems }) => JSON.stringify([pathsOf({ pages }), problems]));
    assert.equal(new Set(texts).size, 1);
    assert.deepEqual(pathsOf(results[0]!), ['/', '/p0']);
  });

  it('reports errors, logins, duplicates and other types than HTML, and reads the other pages', async () => {
    const login = '<form method="post"><input name="user"><input type="password" name="password"></form>';
    const token = (value: string): string => `<input type="hidden" name="csrf" value="${value.repeat(32)}">`;
    const site = await startSite(
      pagesOf({
        '/': toolPage(
          'home',
          '/gone',
          '/crash',
          '/admin',
          '/secret',
          '/same1',
          '/same2',
          '/old',
          '/file',
          '/list?o=1',
          '/list',
        ),
        '/crash': { status: 500, body: 'Error' },
        '/admin': redirectTo('/enter?next=/admin'),
        '/enter?next=/admin': login,
        '/secret': { status: 401, body: 'No' },
        '/same1': toolPage('same') + token('a'),
        '/same2': toolPage('same') + token('b'),
        '/old': redirectTo('/same1'),
        '/file': { headers: { 'content-type': 'application/pdf' }, body: '%PDF' },
        '/list?o=1': `<link rel="canonical" href="/list">${toolPage('list')}`,
        '/list': `<link rel="canonical" href="/list">${toolPage('list')} sorted`,
      }),
    );
    const result = await readSite([`${site.origin}/`], { depth: 1 });
    assert.deepEqual(pathsOf(result), ['/', '/list', '/same1']);
    assert.deepEqual(kindsOf(site.origin, result), {
      '/gone': 'status',
      '/crash': 'status',
      '/admin': 'login',
      '/secret': 'login',
      '/same2': 'duplicate',
      '/old': 'duplicate',
      '/file': 'type',
      '/list?o=1': 'duplicate',
    });
    assert.equal(result.isComplete, true);
    const { reason, advice } = result.problems.find(({ url }) => url.endsWith('/admin')) ?? {};
    assert.equal(
      `${reason}. ${advice}`,
      'it redirects to /enter, which has a password input, as a login has. Use --login or --cookie to read it, or name /enter if it is the page.',
    );
  });

  it('does not treat a page as a login because of a password input in excluded content', async () => {
    const excluded = '<div data-webmcp-ignore><input type="password"></div>';
    const site = await startSite(
      pagesOf({ '/': toolPage('home', '/old'), '/old': redirectTo('/new'), '/new': toolPage('x') + excluded }),
    );
    const { pages, problems } = await readSite([`${site.origin}/`], { depth: 1 });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      pages.map(({ path, mayBeLogin }) => [path, mayBeLogin]),
      [
        ['/', false],
        ['/new', false],
      ],
    );
  });

  it('reads only one page of a cycle of canonical URLs, and a page whose canonical page is missing', async () => {
    const site = await startSite(
      pagesOf({
        '/': toolPage('home', '/a', '/b', '/c'),
        '/a': `<link rel="canonical" href="/b">${toolPage('a')}`,
        '/b': `<link rel="canonical" href="/a">${toolPage('b')}`,
        '/c': `<link rel="canonical" href="/missing">${toolPage('c')}`,
      }),
    );
    assert.deepEqual(pathsOf(await readSite([`${site.origin}/`], { depth: 1 })), ['/', '/b', '/c']);
  });

  it('rejects a named page that cannot be read, with advice', async () => {
    const site = await startSite(
      pagesOf({
        '/admin/': redirectTo('/login/?next=/admin/'),
        '/login/?next=/admin/': '<input type="password">',
        '/loop': redirectTo('/loop'),
        '/www': redirectTo('https://www.site.example/'),
        '/bad': redirectTo('http://[bad'),
        '/data': { headers: { 'content-type': 'application/json' }, body: '{}' },
        '/a//b': toolPage('x'),
      }),
    );
    for (const [path, message] of [
      ['/none', /Cannot read http:\/\/127.0.0.1:\d+\/none: the status is 404\.$/],
      ['/admin/', /\/admin\/: it redirects to \/login\/, which is a login\. Use --login or --cookie to read it\.$/],
      ['/loop', /it redirects more than 10 times\. Check it in a browser\.$/],
      [
        '/www',
        /it redirects to another origin, https:\/\/www\.site\.example\. Name URLs of that origin if it is the site\.$/,
      ],
      ['/bad', /it redirects to an invalid URL\.$/],
      ['/data', /its type is application\/json, not HTML\.$/],
      ['/a//b', /its path has an empty segment/],
    ] as const)
      await assert.rejects(readSite([site.origin + path]), (error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, message);
        return true;
      });
  });

  it('rejects URLs of several sites, with credentials, and of other protocols', async () => {
    await assert.rejects(
      readSite(['http://a.example/', 'http://b.example/']),
      /are different sites\. Name the URLs of one/,
    );
    await assert.rejects(readSite(['http://me:hunter22@a.example/']), (error: Error) => {
      assert.match(error.message, /The URL of a\.example has credentials\. Remove them/);
      assert.doesNotMatch(error.message, /hunter22/);
      return true;
    });
    await assert.rejects(readSite(['ftp://a.example/']), /is not an HTTP URL/);
    await assert.rejects(readSite([]), /No URL is given/);
  });

  it('stops after the maximum number of pages, and reports the path with the most pages', async () => {
    const month = (path = ''): string =>
      toolPage(`m${path.replace(/\D/g, '')}`, ...[1, 2, 3].map((n) => `/calendar/${path.length}${n}`));
    const site = await startSite(({ url }) => (url === '/robots.txt' ? { status: 404 } : month(url)));
    const { pages, problems, isComplete } = await readSite([`${site.origin}/`], { depth: 100, maxPages: 8 });
    assert.equal(isComplete, false);
    assert.ok(pages.length <= 8);
    assert.match(
      problems.at(-1)?.reason ?? '',
      /^8 pages were read, which is the limit; most of them are below \/calendar$/,
    );
    assert.equal(site.requests.length, 9);
    const excluded = await readSite([`${site.origin}/`], { depth: 100, maxPages: 8, exclude: ['/calendar/'] });
    assert.deepEqual([pathsOf(excluded), excluded.isComplete], [['/'], true]);
  });

  it('follows a limited number of queries of one path', async () => {
    const site = await startSite(({ url = '' }) => {
      if (url === '/robots.txt') return { status: 404 };
      const month = Number(/\d+/.exec(url)?.[0] ?? 0);
      return toolPage(`month${month}`, `/calendar?month=${month + 1}`, `/calendar?month=${month + 2}`, '/about');
    });
    const { pages, problems } = await readSite([`${site.origin}/`], { depth: 90 });
    assert.equal(pages.length, 101);
    assert.ok(problems.some(({ reason }) => /^more than 100 links differ only in the query$/.test(reason)));
  });

  it('lists a limited number of skipped links, and counts the others', { tags: 'long' }, async () => {
    const links = (start: number): string =>
      Array.from({ length: 9000 }, (_, index) => `<a href="/delete/${start + index}">x</a>`).join('');
    const site = await startSite(
      pagesOf({ '/': toolPage('home', '/a') + links(0), '/a': toolPage('a') + links(9000) }),
    );
    const { pages, problems, isComplete } = await readSite([`${site.origin}/`], { depth: 2 });
    assert.deepEqual([pathsOf({ pages }), problems.length, isComplete], [['/', '/a'], 10_001, true]);
    assert.equal(problems.at(-1)?.url, '8000 more links');
  });

  it('reports a page with more links than are followed', async () => {
    const links = '<a href="/a">a</a>'.repeat(10_001);
    const deep = `${'<div>'.repeat(600)}<a href="/b">b</a>`;
    const site = await startSite(pagesOf({ '/': toolPage('home') + links, '/a': toolPage('a') + deep }));
    const { pages, problems, isComplete } = await readSite([`${site.origin}/`], {
      depth: 2,
      readingTimeoutMs: 600_000,
    });
    assert.deepEqual([pathsOf({ pages }), isComplete], [['/', '/a'], false]);
    assert.deepEqual(
      problems.map(({ url, reason }) => [url, reason]),
      ['/', '/a'].map((path) => [
        `the later links of ${site.origin}${path}`,
        'it has more than 10000 links, or more elements than are read',
      ]),
    );
  });

  it('repeats a request after the time of Retry-After if the site is too busy', async () => {
    const answers = new Map<string, number>();
    const site = await startSite(({ url = '' }) => {
      const count = (answers.get(url) ?? 0) + 1;
      answers.set(url, count);
      if (url === '/') return toolPage('home', '/busy', '/later', '/down');
      if (url === '/busy' && count < 3) return { status: 429, headers: { 'retry-after': '0' } };
      if (url === '/busy') return toolPage('busy');
      if (url === '/later') return { status: 503, headers: { 'retry-after': '3600' } };
      return { status: url === '/down' ? 503 : 404 };
    });
    const result = await readSite([`${site.origin}/`], { ...quick, depth: 1 });
    assert.deepEqual(pathsOf(result), ['/', '/busy']);
    assert.deepEqual([answers.get('/busy'), answers.get('/later'), answers.get('/down')], [3, 1, 3]);
    assert.equal(result.isComplete, false);
    assert.deepEqual(
      result.problems.map(({ reason }) => reason),
      ['the status is 503, and Retry-After asks for 3600 s', 'the status is 503'],
    );
  });

  it('reports responses that are slow', { tags: 'long' }, async () => {
    const site = await startSite(({ url }, response) => {
      if (url === '/') return toolPage('home', '/never', '/drip');
      if (url === '/drip') response.writeHead(200, { 'content-type': 'text/html' }).write('<p>');
      return url === '/robots.txt' ? { status: 404 } : undefined;
    });
    const result = await readSite([`${site.origin}/`], { ...quick, depth: 1, timeoutMs: 3000 });
    assert.deepEqual(pathsOf(result), ['/']);
    const reason = 'it did not respond within 3 s';
    assert.deepEqual(reasonsOf(result, site.origin), { '/never': reason, '/drip': reason });
  });

  it('reports responses that are aborted, too large or of an unknown encoding', async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000, ' '));
    const site = await startSite(({ url }, response) => {
      if (url === '/') return toolPage('home', '/cut', '/bomb', '/zstd', '/broken', '/latin');
      if (url === '/cut') response.writeHead(200, { 'content-length': '100' }).write('<p>', () => response.destroy());
      if (url === '/bomb') return { headers: { 'content-encoding': 'gzip' }, body: bomb };
      if (url === '/zstd') return { headers: { 'content-encoding': 'zstd' }, body: 'x' };
      if (url === '/broken') return { headers: { 'content-encoding': 'gzip' }, body: 'not gzip' };
      if (url === '/latin')
        return { headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from([0x3c, 0x70, 0x3e, 0xe4]) };
      return url === '/robots.txt' ? { status: 404 } : undefined;
    });
    const result = await readSite([`${site.origin}/`], { ...quick, depth: 1 });
    assert.deepEqual(pathsOf(result), ['/']);
    assert.deepEqual(reasonsOf(result, site.origin), {
      '/cut': 'the connection failed (ECONNRESET)',
      '/bomb': 'it has more than 20 MB',
      '/zstd': 'the response has the content encoding zstd',
      '/broken': 'the compressed body is invalid (Z_DATA_ERROR)',
      '/latin': 'it is not in its encoding, UTF-8',
    });
  });

  it('reports a page whose markup takes long to parse, and reads the others', { tags: 'long' }, async () => {
    const site = await startSite(
      pagesOf({
        '/': toolPage('home', '/slow', '/a'),
        '/slow': `<table>${'x '.repeat(4_000_000)}`,
        '/a': toolPage('a'),
      }),
    );
    const result = await readSite([`${site.origin}/`], { ...quick, depth: 2, readingTimeoutMs: 1000 });
    assert.deepEqual(pathsOf(result), ['/', '/a']);
    assert.deepEqual(reasonsOf(result, site.origin), { '/slow': 'reading its markup takes more than 1 second' });
  });

  it('decodes a page by its header, its markup or its bytes', async () => {
    const latin = Buffer.from(toolPage('home').replace('Words', 'W\xf6rter'), 'latin1');
    const site = await startSite(
      pagesOf({
        '/header': { headers: { 'content-type': 'text/html; charset=iso-8859-1' }, body: latin },
        '/none': { headers: { 'content-type': 'text/html' }, body: latin },
      }),
    );
    for (const path of ['/header', '/none']) {
      const { pages } = await readSite([site.origin + path]);
      assert.match((await pages[0]?.read()) ?? '', /Wörter/, path);
    }
  });

  it('rejects hosts that do not exist or do not listen', async () => {
    await assert.rejects(
      readSite(['http://webmcp-forms.invalid/']),
      /the host webmcp-forms\.invalid was not found\. Check/,
    );
    await assert.rejects(
      readSite(['http://127.0.0.1:2/']),
      /no server listens at 127\.0\.0\.1:2\. Start it, or check the port/,
    );
    await assert.rejects(
      readSite(['http://127.0.0.1:6000/']),
      /browsers and fetch do not connect to the port 6000\. Let the site listen at another port\.$/,
    );
    const site = await startSite(pagesOf({}));
    await assert.rejects(
      readSite([site.origin.replace('http:', 'https:')]),
      /has no working TLS \(\w+\)\. Check whether it is http/,
    );
  });

  it('rejects a server that changes the protocol', async () => {
    const site = await startSite(({ url }, { socket }) => {
      if (url === '/robots.txt') return { status: 404 };
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n');
    });
    await assert.rejects(readSite([`${site.origin}/`]), /the status is 101, which was not requested\.$/);
  });

  it('ends with the reason of its signal also while it reads robots.txt, a sitemap or a login', async () => {
    const page = '<form toolname=log_in tooldescription=d method=post><input name=user></form>';
    const options = { name: 'x', description: '', version: '1.0.0', profile: 'precise' } as const;
    const manifest = createManifest([compileHtml(page, { path: 'login' })], options);
    for (const slow of ['/robots.txt', '/sitemap.xml', '/login']) {
      const controller = new AbortController();
      const reason = new Error('stop');
      const site = await startSite(({ url }) => (url === slow ? controller.abort(reason) : { status: 404 }));
      const login = { manifest, tool: 'log_in', input: { user: 'ada' } };
      const reading = readSite([`${site.origin}/`], {
        signal: controller.signal,
        ...(slow === '/login' ? { login } : { sitemap: true }),
      });
      await assert.rejects(reading, reason, slow);
    }
  });

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const site = await startSite(({ url }) => {
      if (url === '/slow') controller.abort(reason);
      else return url === '/' ? toolPage('home', '/slow') : { status: 404 };
    });
    await assert.rejects(readSite([`${site.origin}/`], { depth: 1, signal: controller.signal }), reason);
  });

  it('sends the configured headers, which may change the response of the site', async () => {
    const site = await startSite(({ headers, url }) =>
      url === '/' ? toolPage(headers['user-agent'] === 'Mobile' ? 'mobile' : 'desktop') : { status: 404 },
    );
    const compiled = async (headers: Record<string, string>): Promise<string | undefined> => {
      const [page] = (await readSite([`${site.origin}/`], { headers })).pages;
      return page && compileHtml(await page.read(), { path: page.path }).tools[0]?.name;
    };
    assert.deepEqual([await compiled({}), await compiled({ 'user-agent': 'Mobile' })], ['desktop', 'mobile']);
  });

  it('returns pages for createManifest', async () => {
    const site = await startSite(pagesOf({ '/': toolPage('home', '/b?c=d'), '/b?c=d': toolPage('b') }));
    const { pages } = await readSite([`${site.origin}/`], { depth: 1 });
    const compiled = await Promise.all(pages.map(async ({ path, read }) => compileHtml(await read(), { path })));
    const manifest = createManifest(compiled, { name: 'x', description: '', version: '1.0.0', profile: 'precise' });
    assert.deepEqual(pathsOf(manifest), ['/', '/b?c=d']);
  });
});

describe('a public name with a private address', () => {
  const send = async (url: string, allowPrivateAddresses: boolean, address: string): Promise<number> => {
    const client = new SiteClient({
      base: new URL(url),
      cookies: [],
      secrets: new RunSecrets(),
      headers: {},
      timeoutMs: 30_000,
      retryDelayMs: 1,
      allowPrivateAddresses,
      insecure: false,
      lookup: (_, __, callback) => callback(null, [{ address, family: 4 }]),
      signal: new AbortController().signal,
    });
    try {
      const { status, discard } = await client.get(new URL(url));
      discard();
      return status;
    } finally {
      client.close();
    }
  };

  it('is refused at each connection, unless private addresses are allowed or the name is private', async () => {
    const { origin, requests } = await startSite(() => 'ok');
    const { port } = new URL(origin);
    await assert.rejects(send(`http://shop.example:${port}/`, false, '127.0.0.1'), {
      message: 'shop.example has a private or loopback address',
      advice: 'Use --allow-private if the site is in your own network.',
    });
    assert.equal(requests.length, 0);
    assert.equal(await send(`http://shop.example:${port}/`, true, '127.0.0.1'), 200);
    assert.equal(await send(`http://shop.localhost:${port}/`, false, '127.0.0.1'), 200);
  });
});
