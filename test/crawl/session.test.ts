import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'vitest';
import { compileHtml, createManifest, readSite, type Manifest, type ManifestPage } from '../../src/build.js';
import { startSite, toolPage, redirectTo, type Reply, type SiteServer } from '../support/crawl/site-server.js';

const session = 'b7f3a1c95e2d4860';
const password = 'correct horse battery';

const loginPage = (
  error = '',
): string => `<form method="post" action="/enter?to=x" toolname="log_in" tooldescription="Logs in.">
  ${error && `<p role="alert">${error}</p>`}<input type="hidden" name="csrf" value="t0ken">
  <label>User <input name="user"></label><label>Password <input type="password" name="password"></label>
  <button name="go" value="in">Log in</button></form>`;

const manifestOf = (...paths: readonly string[]): Manifest =>
  createManifest(
    paths.map((path) => compileHtml(loginPage(), { path })),
    { name: 'site', description: '', version: '1.0.0', profile: 'precise' },
  );

/** A site whose pages need a session, which the login begins. */
async function startMembers(): Promise<SiteServer & { readonly bodies: readonly string[] }> {
  const bodies: string[] = [];
  const site = await startSite(async (request): Promise<Reply | string> => {
    const { url = '', method, headers } = request;
    if (url === '/robots.txt') return { status: 404 };
    if (url === '/login') return { headers: { 'set-cookie': 'csrf=t0ken; Path=/' }, body: loginPage() };
    if (method === 'POST') {
      const body = await text(request);
      bodies.push(`${url} ${body}`);
      const sent = new URLSearchParams(body).get('password');
      const isRight = sent === password && headers.cookie === 'csrf=t0ken';
      if (!isRight || headers.origin !== `http://${headers.host}`) return loginPage(`The password ${sent} is wrong.`);
      return {
        ...redirectTo('/members'),
        headers: { location: '/members', 'set-cookie': [`sid=${session}; HttpOnly; Path=/`] },
      };
    }
    if (!(headers.cookie ?? '').includes(`sid=${session}`)) return redirectTo('/login');
    return toolPage('members', `/members?page=2`, `/x/${session}`) + `<p>Your session is ${session}.</p>`;
  });
  return { ...site, bodies };
}

const cookieFile = (origin: string, value = session): string =>
  `# Netscape HTTP Cookie File\n\n#HttpOnly_${new URL(origin).hostname}\tFALSE\t/\tFALSE\t0\tsid\t${value}\n.other.example\tTRUE\t/\tTRUE\t2000000000\tx\ty\n`;

describe('readSite behind a login', () => {
  it('reports that a page redirects to a login', async () => {
    const { origin } = await startMembers();
    await assert.rejects(
      readSite([`${origin}/members`]),
      /redirects to \/login, which is a login\. Use --login or --cookie/,
    );
  });

  it('logs in with a tool of a manifest, with the hidden values of the page and its first button', async () => {
    const site = await startMembers();
    const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user: 'ada', password } };
    const { pages, problems } = await readSite([`${site.origin}/members`], { login });
    assert.deepEqual(
      pages.map(({ path }) => path),
      ['/members'],
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(site.bodies, [`/enter?to=x csrf=t0ken&user=ada&password=${password.replaceAll(' ', '+')}&go=in`]);
  });

  it.for([
    ['is submitted elsewhere', 'action="/comments"'],
    ['is submitted to that page', ''],
  ] as const)(
    'sends nothing if another page of the manifest has a form of the same name that %s',
    async ([, action]) => {
      const site = await startMembers();
      const pageOf = (path: string, html = loginPage().replace('action="/enter?to=x"', action)): ManifestPage =>
        compileHtml(html, { path });
      const pages =
        action === '' ? [pageOf('a/comments'), pageOf('login')] : [pageOf('a/comments'), pageOf('login', loginPage())];
      const manifest = createManifest(pages, { name: 'site', description: '', version: '1.0.0', profile: 'precise' });
      const login = { manifest, tool: 'log_in', input: { user: 'ada', password } };
      await assert.rejects(readSite([`${site.origin}/members`], { login }), {
        message:
          'The manifest of --login has different tools "log_in", of the pages a/comments and login. Use a manifest with only the page of the login.',
      });
      assert.deepEqual(site.bodies, []);
    },
  );

  it('logs in with a form that several pages have, if all of them submit it to the same URL', async () => {
    const site = await startMembers();
    const login = { manifest: manifestOf('login', 'shop'), tool: 'log_in', input: { user: 'ada', password } };
    assert.equal((await readSite([`${site.origin}/members`], { login })).pages.length, 1);
  });

  it('uses the cookies of a file in the Netscape format for their host', async () => {
    const { origin, headers } = await startMembers();
    const { pages } = await readSite([`${origin}/members`], { cookies: cookieFile(origin) });
    assert.equal(pages.length, 1);
    assert.ok(headers.every(({ cookie }) => cookie === `sid=${session}`));
  });

  it('sends a cookie header together with the cookies of the site', async () => {
    const { origin } = await startMembers();
    const { pages } = await readSite([`${origin}/members`], { headers: { cookie: `theme=dark; sid=${session}` } });
    assert.equal(pages.length, 1);
  });

  it('keeps the values of cookies and headers out of pages, URLs and messages', async () => {
    const { origin } = await startMembers();
    const result = await readSite([`${origin}/members`], { cookies: cookieFile(origin), depth: 1 });
    const html = await Promise.all(result.pages.map(({ read }) => read()));
    assert.match(html[0] ?? '', /Your session is \[hidden\]\./);
    const { problems } = result;
    assert.ok(problems.some(({ kind, url }) => kind === 'invalid' && url === `${origin}/x/[hidden]`));
    assert.doesNotMatch(JSON.stringify([html, problems, result.pages]), new RegExp(session));
  });

  it('rejects a login with the message of the site, but never with the values', async () => {
    const { origin } = await startMembers();
    const manifest = manifestOf('login');
    const rejection = async (tool: string, input: Record<string, string>, expected: RegExp): Promise<void> => {
      await assert.rejects(readSite([`${origin}/members`], { login: { manifest, tool, input } }), (error: Error) => {
        assert.match(error.message, expected);
        assert.doesNotMatch(error.message, /wrong horse|correct horse/);
        return true;
      });
    };
    await rejection(
      'log_in',
      { user: 'ada', password: 'wrong horse' },
      /^Cannot log in at http:\S+\/login: the site shows the login form again at \/enter: "The password \[hidden\] is wrong\."/,
    );
    await rejection(
      'log_in',
      { user: 'ada', pasword: 'wrong horse' },
      /The input of the tool "log_in" is invalid: pasword \(unknown-parameter\)\./,
    );
    await rejection('sign_in', {}, /The manifest of --login has no tool "sign_in"\. Name one of its tools: log_in\./);
  });

  it('logs in although the next page has a form of a visitor with the name of the login form', async () => {
    const forms =
      '<form data-toolname=log_in><input type=password></form>' + loginPage().replace('/enter?to=x', '/comments');
    const site = await startSite(({ url, method }): Reply | string => {
      if (url === '/robots.txt') return { status: 404 };
      if (method === 'POST') return redirectTo('/members');
      return url === '/login' ? loginPage() : `${toolPage('members')}<div class="comment">${forms}</div>`;
    });
    const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user: 'ada', password } };
    const { pages } = await readSite([`${site.origin}/members`], { login });
    assert.equal(pages.length, 1);
  });

  it('logs in although a visitor has copied the form into the next page, unless the login page has that form again', async () => {
    for (const isRight of [true, false]) {
      const site = await startSite(({ url, method, headers }): Reply | string => {
        if (url === '/robots.txt') return { status: 404 };
        if (method === 'POST')
          return {
            ...redirectTo('/members'),
            headers: { location: '/members', 'set-cookie': `sid=${isRight}; Path=/` },
          };
        if (url === '/login') return headers.cookie?.includes('sid=true') ? redirectTo('/members') : loginPage();
        return `${toolPage('members')}<div class="entry">${loginPage()}</div>`;
      });
      const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user: 'ada', password } };
      const reading = readSite([`${site.origin}/members`], { login });
      if (isRight) assert.equal((await reading).pages.length, 1);
      else await assert.rejects(reading, /the site shows the login form again at \/members/);
    }
  });

  it('does not quote the message of the site if it contains a short value of the login', async () => {
    const { origin } = await startMembers();
    const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user: 'ada', password: 'hunter2' } };
    await assert.rejects(readSite([`${origin}/members`], { login }), {
      message: `Cannot log in at ${origin}/login: the site shows the login form again at /enter. Correct the input of --login, or use --cookie.`,
    });
  });

  it('does not follow a redirect to another origin, which therefore receives no cookies and headers', async () => {
    const other = await startSite(() => toolPage('other'));
    const site = await startSite(({ url = '' }) => {
      if (url === '/robots.txt') return redirectTo(`${other.origin}/robots.txt`);
      const links = ['/moved', `${other.origin}/x`, `http://ada:${session}@${new URL(other.origin).host}/`];
      return url === '/' ? toolPage('home', ...links) : redirectTo(`${other.origin}${url}`);
    });
    const options = { cookies: cookieFile(site.origin), headers: { authorization: `Bearer ${session}` } };
    const { problems } = await readSite([`${site.origin}/`], { ...options, depth: 1 });
    assert.deepEqual(
      problems.map(({ kind, url }) => [kind, url]),
      [['redirect', `${site.origin}/moved`]],
    );
    await assert.rejects(readSite([`${site.origin}/s.xml`], options), /redirects to another origin/);
    const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user: 'ada', password } };
    await assert.rejects(readSite([`${site.origin}/`], { ...options, login }), /redirects to another origin/);
    assert.deepEqual(other.requests, []);
  });

  it('rejects headers that are invalid in a request, without quoting their values', async () => {
    for (const headers of [{ 'x-key': 's3cret\r\nX-Other: 1' }, { 'x-key': 's3cret鉄' }, { 'x key': 's3cret' }])
      await assert.rejects(readSite(['http://127.0.0.1:1/'], { headers }), (error: Error) => {
        assert.match(error.message, /^The header "x.key" has an invalid name or value\. Use ASCII/);
        assert.doesNotMatch(error.message, /s3cret/);
        return true;
      });
  });

  it('uses cookies of hosts with other letters than ASCII, and of IPv6 addresses with brackets', async () => {
    for (const [host, url] of [
      ['bücher.localhost', 'http://bücher.localhost:2/'],
      ['[::1]', 'http://[::1]:2/'],
    ] as const)
      await assert.rejects(
        readSite([url], { cookies: `${host}\tFALSE\t/\tFALSE\t0\tsid\t${session}\n`, retryDelayMs: 1 }),
        /no server listens|was not found|the connection failed/,
      );
  });

  it('rejects a login if the page does not have its form', async () => {
    const { origin } = await startMembers();
    const login = { manifest: manifestOf('/robots.txt'), tool: 'log_in', input: {} };
    await assert.rejects(
      readSite([`${origin}/members`], { login }),
      /the page of the form does not exist: \S+\/robots\.txt responded with the status 404\. Compile the page of the login/,
    );
  });

  it('hides the current value of a cookie that each response replaces, and stores a limited number of cookies', async () => {
    let count = 0;
    const value = (): string => `token-${String(count).padStart(12, '0')}`;
    const site = await startSite(({ url = '' }) => {
      if (url === '/robots.txt') return { status: 404 };
      count++;
      const many = Array.from({ length: 40 }, (_, index) => `c${count}-${index}=x; Path=/`);
      const links = Array.from({ length: 30 }, (_, index) => `/p${index}`);
      const body = `${toolPage(`t${count}`, ...links)}<a data-token="${value()}">x</a>`;
      return { headers: { 'set-cookie': [`csrf=${value()}; Path=/`, ...many] }, body };
    });
    const { pages } = await readSite([`${site.origin}/`], { depth: 1, concurrency: 1 });
    assert.equal(pages.length, 31);
    for (const { read } of pages) assert.doesNotMatch(await read(), /token-\d/);
    assert.equal(site.headers.at(-1)?.cookie?.split('; ').length, 180);
  });

  describe('that redirects', () => {
    const user = 'ada-lovelace';

    /** The requests and the outcome of a run whose site redirects the login, or another path. */
    async function logInTo(
      location: string,
      { status = 303, at = '/enter?to=x' } = {},
    ): Promise<{ readonly requests: readonly string[]; readonly message: string }> {
      const site = await startSite(({ url = '' }): Reply | string => {
        const robots = 'User-agent: *\nDisallow: /internal/';
        if (url === '/robots.txt') return { headers: { 'content-type': 'text/plain' }, body: robots };
        if (url === at) return { status, headers: { location } };
        return url === '/login' ? loginPage() : toolPage('home');
      });
      const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user, password } };
      const reading = readSite([`${site.origin}/home`], { login, exclude: ['drafts/'] });
      const message = await reading.then(
        () => 'ok',
        (error: Error) => error.message.replaceAll(site.origin, ''),
      );
      return { requests: site.requests, message };
    }

    it('follows the redirect to a page, also if its URL has the name of the user', async () => {
      const { requests, message } = await logInTo(`/users/${user}`);
      assert.equal(message, 'ok');
      assert.ok(requests.includes(`GET /users/${user}`));
    });

    it('does not follow the redirect to an excluded or disallowed path, or to a link that could change something', async () => {
      for (const at of ['/login', '/enter?to=x']) {
        for (const [location, expected] of [
          ['/Drafts', 'it redirects to /Drafts, and its path is excluded. Change --exclude to read it.'],
          ['/internal/a', 'it redirects to /internal/a, and robots.txt disallows it. If the site is yours,'],
          [
            '/delete/1',
            'it redirects to /delete/1, and the link could change something or log out. Log in with a browser, and use --cookie.',
          ],
        ] as const) {
          const { requests, message } = await logInTo(location, { at });
          assert.ok(message.startsWith(`Cannot log in at /login: ${expected}`), message);
          assert.ok(!requests.some((each) => each.endsWith(location)), requests.join());
        }
      }
    });

    it('does not send the password to another URL', async () => {
      for (const status of [307, 308]) {
        const { requests, message } = await logInTo('/comments', { status });
        assert.equal(
          message,
          'Cannot log in at /login: it redirects the submission with its values to /comments. Log in with a browser, and use --cookie.',
        );
        assert.deepEqual(requests, ['GET /robots.txt', 'GET /login', 'POST /enter?to=x']);
      }
    });
  });

  it('ends a login whose pages take long to parse, after the time limit', { tags: 'long' }, async () => {
    const slow = `<table>${'x '.repeat(4_000_000)}`;
    for (const [path, before] of [
      ['/login', 'GET /login'],
      ['/members', 'GET /members'],
    ] as const) {
      const site = await startSite(({ url = '', method }): Reply | string => {
        if (url === '/robots.txt') return { status: 404 };
        if (method === 'POST') return redirectTo('/members');
        return loginPage() + (url === path ? slow : '');
      });
      const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user: 'ada', password } };
      await assert.rejects(readSite([`${site.origin}/home`], { login, readingTimeoutMs: 1000 }), {
        message: `Cannot log in at ${site.origin}/login: reading its markup takes more than 1 second. Log in with a browser, and use --cookie.`,
      });
      assert.equal(site.requests.at(-1), before);
    }
  });

  it('rejects a login whose form has an invalid action', async () => {
    const form = loginPage().replace('/enter?to=x', 'http://[');
    const site = await startSite(({ url }) => (url === '/login' ? form : { status: 404 }));
    const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user: 'a', password: 'b' } };
    await assert.rejects(
      readSite([`${site.origin}/`], { login }),
      /the form cannot be submitted over HTTP: its action is not a URL\. Log in with a browser/,
    );
  });

  describe('on a page with the form of a visitor', () => {
    const visitorForm = (type: string, action = '/guestbook'): string =>
      `<form method="post" action="${action}" toolname="log_in" tooldescription="Logs in.">
      <input name="user"><input name="password" type="${type}"><button name="go" value="in">Go</button></form>`;

    /** The outcome, and the bodies that a site receives if its login page has other forms. */
    async function logInAt(html: string): Promise<{ readonly bodies: readonly string[]; readonly message: string }> {
      const bodies: string[] = [];
      const site = await startSite(async (request) => {
        const { url = '', method } = request;
        if (method === 'POST') bodies.push(`${url} ${await text(request)}`);
        return url === '/login' ? html : method === 'POST' || url === '/home' ? toolPage('home') : { status: 404 };
      });
      const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user: 'ada', password } };
      const reading = readSite([`${site.origin}/home`], { login });
      const message = await reading.then(
        () => 'ok',
        (error: Error) => error.message,
      );
      return { bodies, message };
    }

    it('sends the password to the form of the manifest', async () => {
      for (const type of ['text', 'password']) {
        const { bodies, message } = await logInAt(visitorForm(type) + loginPage());
        assert.equal(message, 'ok');
        assert.deepEqual(
          bodies.map((each) => each.replace(/ .*/, '')),
          ['/enter?to=x'],
        );
      }
    });

    it('sends nothing if the form of the visitor has another hidden value, or could be the form of the manifest', async () => {
      const copy = (from: string, to: string): string => loginPage().replace(from, to);
      const posting = copy('</form>', '<input type="hidden" name="comment" value="1"></form>');
      const { bodies, message } = await logInAt(posting);
      assert.deepEqual(bodies, []);
      assert.match(message, /the form of \S+ has a further hidden control "comment" \(it begins at line 1, column 1\)/);
      const twins = await logInAt(copy('name="user"', 'name="user" value="x"') + loginPage());
      assert.deepEqual(twins.bodies, []);
      assert.match(
        twins.message,
        /different forms for the tool "log_in"\. They begin at line 1, column 1 and at line 4, column \d+/,
      );
      const inserted = await logInAt(
        `<input form="f" type="hidden" name="to" value="x">${copy('<form', '<form id="f"')}`,
      );
      assert.equal(inserted.message, 'ok');
      assert.doesNotMatch(inserted.bodies.join(), /to=x&|&to=x/);
    });

    it('sends nothing if only the form of the visitor has the name of the tool', async () => {
      const { bodies, message } = await logInAt(visitorForm('password'));
      assert.deepEqual(bodies, []);
      assert.match(
        message,
        /the page differs from the manifest: the form of \S+ is submitted by POST \S+ to \S+guestbook/,
      );
    });

    it('sends nothing if the page of the login redirects to another page with the form of a visitor', async () => {
      const own = loginPage().replace(' action="/enter?to=x"', '');
      for (const [target, isSent] of [
        ['/index?page=guestbook', false],
        ['/index?page=login&lang=de', true],
      ] as const) {
        const bodies: string[] = [];
        const site = await startSite(async (request) => {
          const { url = '', method } = request;
          if (method === 'POST') bodies.push(`${url} ${await text(request)}`);
          if (method === 'POST' || url === '/home') return toolPage('home');
          return url === '/index?page=login' ? redirectTo(target) : url === target ? own : { status: 404 };
        });
        const tools = compileHtml(own, { path: 'index?page=login' });
        const manifest = createManifest([tools], { name: 'a', description: '', version: '1.0.0', profile: 'precise' });
        const login = { manifest, tool: 'log_in', input: { user: 'ada', password } };
        const reading = readSite([`${site.origin}/home`], { login });
        if (isSent) await reading;
        else await assert.rejects(reading, / is submitted by POST \S+ to \S+page=guestbook instead of /);
        assert.equal(bodies.length, Number(isSent), target);
      }
    });

    it('sends the password only as the value of a password input', async () => {
      const { bodies, message } = await logInAt(visitorForm('text', '/enter?to=x'));
      assert.deepEqual(bodies, []);
      assert.match(
        message,
        /the page differs from the manifest: the form of \S+ has the control "password" with the type text instead of password/,
      );
    });
  });

  it('checks the input of a login with the manifest before anything is sent', async () => {
    const site = await startMembers();
    const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user: {}, password } };
    await assert.rejects(
      readSite([`${site.origin}/members`], { login }),
      /The input of the tool "log_in" is invalid: user \(wrong-type\)\. Correct the input/,
    );
    assert.deepEqual(site.requests, ['GET /robots.txt']);
  });

  it('hides the values of cookies, headers and logins in all spellings of HTML, URLs, JSON and base64', async () => {
    const secret = `b7f3'a1c9/5e2d"4860`;
    const cookie = secret.replace('"', '+');
    const spellings = (value: string): readonly string[] => [
      value,
      value.replaceAll("'", '&#x27;').replaceAll('/', '&#47;').replaceAll('"', '&quot;'),
      value.replaceAll("'", '&apos;').replaceAll('/', '&sol;'),
      value.replaceAll("'", '%27').replaceAll('/', '%2F').replaceAll('+', '%2B'),
      value.replaceAll("'", '%27').replaceAll('/', '%2f').replaceAll('+', '%2b'),
      value.replaceAll("'", '\\u0027').replaceAll('/', '\\/').replaceAll('"', '\\"'),
      value.replaceAll("'", '%2527').replaceAll('/', '\\u002f'),
      Buffer.from(value).toString('base64'),
    ];
    for (const [value, options] of [
      [cookie, { cookies: cookieFile('http://127.0.0.1/', cookie) }],
      [cookie, { headers: { cookie: `sid=${cookie}` } }],
      [secret, { headers: { 'x-api-key': secret } }],
    ] as const) {
      const all = spellings(value);
      const site = await startSite(({ url }) =>
        url === '/' ? `${toolPage('home')}<p>${all.join('</p><p>')}</p>` : { status: 404 },
      );
      const { pages } = await readSite([`${site.origin}/`], options);
      const html = (await pages[0]?.read()) ?? '';
      assert.equal(html.split('[hidden]').length - 1, all.length, html);
      assert.doesNotMatch(html, /b7f3|5e2d/);
    }
  });

  describe('on a page with the value of a cookie in an unusual spelling', () => {
    const value = 'Zk39dkWq_93kdLw*Q84';
    const half = [value.slice(0, 8), value.slice(8)] as const;
    const interrupted = ['<wbr>', '<span></span>', '<!-- -->', '<b title="a>b">', '<i hidden>x</i>'].map((each) =>
      half.join(each),
    );
    const encoded = [
      value.replace('Z', '&#90'),
      value.replace('Z', '&#000000000090;').replace('k', '&#x00000006b;'),
      value.replace('_', '&UnderBar;').replace('*', '&midast;'),
      value.replace('Z', '&Zscr;'),
      Buffer.from(value).toString('base64'),
      Buffer.from(value).toString('base64url'),
      Buffer.from(value).toString('hex'),
    ];
    const pageWith = (text: string, attribute: string): string =>
      `<form toolname="t" tooldescription="Uses ${attribute}." action="/x?&amp;"><label>The ${text}
      <input name="q"></label><select name="s"><option>${attribute}</select><button>Go</button></form>`;

    it('hides the value in the page and its tools, if the user or the site has set it', async () => {
      for (const isGiven of [true, false]) {
        for (const spelling of [...interrupted, ...encoded]) {
          const body = pageWith(spelling, interrupted.includes(spelling) ? value : spelling);
          const headers = { 'set-cookie': `sid=${value}` };
          const site = await startSite(({ url }) =>
            url === '/' ? { ...(!isGiven && { headers }), body } : { status: 404 },
          );
          const { pages } = await readSite([`${site.origin}/`], isGiven ? { headers: { cookie: `sid=${value}` } } : {});
          const html = (await pages[0]?.read()) ?? '';
          const compiled = JSON.stringify(compileHtml(html, { path: '/' }));
          assert.match(compiled, /Uses \[hidden\]\..*The \[hidden\]/, spelling);
          assert.doesNotMatch(compiled, /kdLw|WmszOWRr|5a6b3339/, spelling);
          assert.match(html, /action="\/x\?&amp;"/);
        }
      }
    });

    it('keeps words of a page before an ellipsis, even if the value begins with them', async () => {
      const text = 'You are welcome...';
      const site = await startSite(({ url }) => (url === '/' ? { body: pageWith(text, text) } : { status: 404 }));
      const headers = { cookie: 'sid=welcome-8f3a61b2c9d04e57' };
      const { pages } = await readSite([`${site.origin}/`], { headers });
      assert.equal(await pages[0]?.read(), pageWith(text, text));
    });

    it('hides a password of the login', async () => {
      const site = await startSite(({ url, method }) => {
        if (method === 'POST') return redirectTo('/home');
        const body = pageWith(password.replace('horse', 'hor<wbr>se'), password.replace('t ', '&#116 '));
        return url === '/login' ? loginPage() : url === '/home' ? body : { status: 404 };
      });
      const login = { manifest: manifestOf('login'), tool: 'log_in', input: { user: 'ada', password } };
      const { pages } = await readSite([`${site.origin}/home`], { login });
      const compiled = JSON.stringify(compileHtml((await pages[0]?.read()) ?? '', { path: '/' }));
      assert.match(compiled, /Uses \[hidden\]\..*The \[hidden\]/);
      assert.doesNotMatch(compiled, /battery/);
    });
  });

  it('does not read a page whose URL has the value of a cookie after a redirect', async () => {
    const site = await startSite(({ url = '' }) => {
      if (url === '/start') return redirectTo(`/s/${session}/start`);
      return url === '/robots.txt' ? { status: 404 } : toolPage('home', '/start');
    });
    const { pages, problems } = await readSite([`${site.origin}/`], { depth: 1, cookies: cookieFile(site.origin) });
    assert.deepEqual(
      pages.map(({ path }) => path),
      ['/'],
    );
    assert.deepEqual(problems, [
      {
        kind: 'invalid',
        url: `${site.origin}/start`,
        reason: 'it redirects to /s/[hidden]/start, and its URL contains the value of a cookie or a header',
      },
    ]);
    await assert.rejects(readSite([`${site.origin}/start`], { cookies: cookieFile(site.origin) }), {
      message: `Cannot read ${site.origin}/start: it redirects to /s/[hidden]/start, and its URL contains the value of a cookie or a header.`,
    });
  });

  it('rejects cookie files of other formats with the number of the line, but never with its text', async () => {
    for (const [cookies, message] of [
      ['[{"name":"sid","value":"s3cret"}]', /it is JSON\. Export the cookies in the Netscape format/],
      ['# Netscape HTTP Cookie File\nsid=s3cret; path=/', /:2 is not a cookie in the Netscape format/],
      ['a.example\tTRUE\t/\tTRUE\tsoon\tsid\ts3cret', /:1 is not a cookie in the Netscape format/],
      ['a.example\tTRUE\t/\tTRUE\t0\tsid\ts3cret鉄', /:1 is not a cookie in the Netscape format/],
      [
        'b.example\tTRUE\t/\tFALSE\t0\tsid\ts3cret',
        /has no cookie for http:\/\/127\.0\.0\.1:1, or all have expired\. Export/,
      ],
      ['127.0.0.1\tFALSE\t/\tFALSE\t1000000000\tsid\ts3cret', /or all have expired/],
      ['# nothing', /it has no cookies/],
    ] as const)
      await assert.rejects(readSite(['http://127.0.0.1:1/'], { cookies }), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /s3cret/);
        return true;
      });
  });
});
