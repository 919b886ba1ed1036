import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it, type TestContext } from 'vitest';
import { CookieJar } from 'tough-cookie';
import { call, failureOf, pageOf, secret, type CallOptions } from '../../support/gateway/calls.js';
import { openSite, type Recorded, type Site } from '../../support/gateway/recording.js';

const controls =
  '<input type=hidden name=csrf value=old><input name=q required><select name=s><option>1<option>2</select>';
const form = 'method=post action=/sent';
const withWord = 'method=post action="/sent?do=edit&id=1&t=a1"';

interface Visit {
  /** @default the compiled page */
  readonly html?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Submits a form whose page may have changed since it was compiled. */
async function visit(
  t: TestContext,
  { html: current = pageOf(form, controls), status = 200, headers = {} }: Visit,
  options: Partial<CallOptions> = {},
) {
  const site: Site = await openSite(({ url }, response) => {
    if (url === '/sent') return response.end('received');
    return response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(current);
  });
  t.onTestFinished(site.close);
  const answer = call({ html: pageOf(form, controls), pageUrl: `${site.origin}/page`, input: { q: 'x' }, ...options });
  answer.catch(() => undefined);
  return { site, answer };
}

const bodies = ({ requests }: Site): readonly string[] =>
  requests.filter(({ url }) => url === '/sent').map(({ body }) => body);

describe('submitForm, for a form whose page is read', () => {
  it('sends the token of the session', async (t) => {
    let count = 0;
    const tokens = new Map<string, string>();
    const site = await openSite(({ url, headers, body }, response) => {
      const session = /sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? `s${++count}`;
      if (url === '/sent') {
        const isRight = new URLSearchParams(body).get('csrf') === tokens.get(session);
        return response.writeHead(isRight ? 200 : 403).end(session);
      }
      tokens.set(session, `token${Math.random()}`);
      const page = pageOf(form, controls.replace('old', tokens.get(session) as string));
      return response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': `sid=${session}; HttpOnly` })
        .end(page);
    });
    t.onTestFinished(site.close);
    const options = { html: pageOf(form, controls), pageUrl: `${site.origin}/page`, input: { q: 'x' } };
    const jar = new CookieJar();
    const answers = [await call({ ...options, jar }), await call({ ...options, jar }), await call(options)];
    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      [
        [200, 's1'],
        [200, 's1'],
        [200, 's2'],
      ],
    );
  });

  it("submits the personal data of the session's own page, which the manifest does not contain", async (t) => {
    const controlsOf = (mail: string): string => `<input type=email name=mail required value=${mail}><input name=q>`;
    const html = pageOf(form, controlsOf('ada@compiled.example'));
    const current = { html: pageOf(form, controlsOf('bob@session.example')) };
    const { answer, site } = await visit(t, current, { html });
    await answer;
    assert.deepEqual(bodies(site), ['mail=bob%40session.example&q=x']);
    const given = await visit(t, current, { html, input: { mail: 'eve@a.example' } });
    await given.answer;
    assert.deepEqual(
      given.site.requests.map(({ method, body }) => [method, body]),
      [['POST', 'mail=eve%40a.example&q=']],
    );
  });

  it('does not read the page if the configuration sets the hidden controls', async (t) => {
    const { answer, site } = await visit(t, {}, { config: { values: { csrf: 'configured' } } });
    await answer;
    assert.deepEqual(
      site.requests.map(({ method, url, body }: Recorded) => `${method} ${url} ${body}`),
      ['POST /sent csrf=configured&q=x&s=1'],
    );
  });

  it('submits another token and other defaults', async (t) => {
    const now = pageOf(
      'method=post action="/sent"',
      '<input type=hidden name=_token value=1><input name=q required value=d><select name=s><option>1<option selected>2<option>3</select>',
    );
    const { answer, site } = await visit(t, { html: now });
    assert.equal((await answer).text, 'received');
    assert.deepEqual(bodies(site), ['_token=1&q=x&s=2']);
  });

  it('finds a form without the name of the tool', async (t) => {
    const now = `<form action=/search><input name=q></form>${pageOf(form, controls).replace('toolname=t', '')}`;
    const { answer, site } = await visit(t, { html: now });
    await answer;
    assert.deepEqual(bodies(site), ['csrf=old&q=x&s=1']);
  });

  it('resolves the action against the page after a redirect', async (t) => {
    const site = await openSite(({ url }, response) => {
      if (url === '/page') return response.writeHead(302, { location: '/new/page' }).end();
      return response.setHeader('content-type', 'text/html').end(pageOf('method=post', controls));
    });
    t.onTestFinished(site.close);
    const html = pageOf('method=post action=/new/page', controls);
    await call({ html, pageUrl: `${site.origin}/page`, input: { q: 'x' } });
    assert.deepEqual(
      site.requests.map(({ method, url }) => `${method} ${url}`),
      ['GET /page', 'GET /new/page', 'POST /new/page'],
    );
  });

  const select = '<select name=s><option>1<option>2</select>';
  const drifts: Readonly<Record<string, string>> = {
    'has no form': '<p>Log in',
    'has only another form': pageOf(form, '<input name=z>').replace('toolname=t', 'toolname=z'),
    'has two forms that match': pageOf(form, controls).replace('toolname=t', '').repeat(2),
    'has one control fewer': pageOf(form, `<input type=hidden name=csrf value=${secret}><input name=q>`),
    'has one more required control': pageOf(form, `${controls}<input name=more required>`),
    'has an unnamed form with another control': pageOf(form, `${controls}<input name=more>`).replace('toolname=t', ''),
    'has a control of another type': pageOf(form, `<input type=number name=q>${select}`),
    'has another action': pageOf('method=post action=/other', controls),
    'has another method': pageOf('action=/sent', controls),
    'has an action with another word': pageOf('method=post action="/sent?do=trash&id=2"', controls),
    'has another encoding': pageOf(`${form} enctype=multipart/form-data`, controls),
    'has a button with another action': pageOf(form, `${controls}<button formaction=/other>Go</button>`),
    'has a button with another method': pageOf(form, `${controls}<button formmethod=get>Go</button>`),
    'has a button with another encoding': pageOf(form, `${controls}<button formenctype=text/plain>Go</button>`),
    'has an image button with another action': pageOf(form, `<input type=image formaction=/other>${controls}`),
    'has other options': pageOf(form, '<input name=q><select name=s><option>3<option>4</select>'),
    'has narrower limits': pageOf(form, `<input name=q maxlength=0>${select}`),
    'has another pattern': pageOf(form, `<input name=q pattern=y>${select}`),
  };
  for (const [name, now] of Object.entries(drifts)) {
    it(`sends nothing if the page ${name}`, async (t) => {
      const compiled = pageOf(name.includes('word') ? withWord : form, controls);
      const { answer, site } = await visit(t, { html: now }, { html: compiled, input: { q: 'x', s: '2' } });
      const { message } = await failureOf(answer, 'page-drift');
      assert.match(message, /^The page differs from the manifest: /);
      assert.deepEqual(bodies(site), []);
    });
  }

  for (const [name, now] of Object.entries({
    fails: { status: 500 },
    'is not HTML': { headers: { 'content-type': 'application/json' } },
    'is too deep': { html: '<div>'.repeat(100_000) },
    'has too many elements': { html: '<br>'.repeat(300_000) },
    'has formatting elements that multiply': {
      html: `<p>${Array.from({ length: 400 }, (_, at) => `<b a=${at}>`).join('')}${'<p>x'.repeat(100_000)}`,
    },
  })) {
    it(`sends nothing if the page ${name}`, async (t) => {
      const { answer, site } = await visit(t, now);
      const { message } = await failureOf(answer, 'page-unavailable');
      assert.doesNotMatch(message, /submission/);
      assert.deepEqual(bodies(site), []);
    });
  }

  it('reads the options of a sensitive select from the page', async (t) => {
    const html = pageOf(
      form,
      '<select name=m required autocomplete=cc-exp-month><option value>Month<option>01<option>02</select><input name=q>',
    );
    const configured = await visit(t, { html }, { html, config: { values: { m: '02' } } });
    await configured.answer;
    assert.deepEqual(bodies(configured.site), ['m=02&q=x']);
    for (const config of [{}, { values: { m: secret } }]) {
      const { answer, site } = await visit(t, { html }, { html, config });
      await failureOf(answer, 'config-error');
      assert.deepEqual(bodies(site), []);
    }
  });

  it('reports no secret of the page', async (t) => {
    const controls =
      '<input type=number step=7 autocomplete=cc-number name=n value=7361 min=0><input type=hidden name=h value=1>';
    const html = pageOf(form, controls);
    const now = pageOf(form, controls.replace('min=0', ''));
    const { answer } = await visit(t, { html: now }, { html, input: { n: 7 }, sensitive: 'include' });
    const error = await failureOf(answer, 'page-drift');
    assert.deepEqual(
      error.parameters.map(({ code, received }) => [code, received]),
      [['step-mismatch', '(not shown)']],
    );
    assert.doesNotMatch(inspect(error, { depth: Infinity }), /736/);
  });

  for (const [name, input] of Object.entries({
    'a value of another type': { q: {} },
    'an unknown name': { q: 'x', more: 1 },
    'another type than an object': [],
    'an option that is not offered, and an unknown name': { q: 'x', s: '3', more: 1 },
  })) {
    it(`does not read the page for ${name}`, async (t) => {
      const { answer, site } = await visit(t, {}, { input });
      await failureOf(answer, 'schema-error');
      assert.deepEqual(site.requests, []);
    });
  }

  it('sends the values in the encoding of the page, and characters that the encoding does not contain as references', async (t) => {
    const headers = { 'content-type': 'text/html; charset=windows-1252' };
    const { answer, site } = await visit(t, { headers }, { input: { q: 'é☃' } });
    await answer;
    assert.match(bodies(site).join(), /q=%E9%26%239731%3B/);
  });

  const cyrillic = 'text/html; charset=windows-1251';
  const cyrillicPage = (attributes: string): string =>
    `<meta charset=windows-1251>${pageOf(attributes, '<input type=password name=p><input name=q>')}`;
  const [word, percentEncoded] = ['пароль', '%EF%E0%F0%EE%EB%FC'];

  it('hides secrets that an answer repeats in the encoding of the page', async (t) => {
    const html = cyrillicPage('action=/sent');
    const site = await openSite(({ url }, response) =>
      url === '/page'
        ? response.setHeader('content-type', cyrillic).end(html)
        : response.setHeader('content-type', 'text/plain').end(`Sent: ${url} or ${url.toLowerCase()}`),
    );
    t.onTestFinished(site.close);
    const options = { html, pageUrl: `${site.origin}/page`, input: { q: 'x' } };
    const { url, text } = await call({ ...options, config: { values: { p: word } } });
    assert.equal(site.requests[1]?.url, `/sent?p=${percentEncoded}&q=x`);
    assert.equal(url, `${site.origin}/sent?p=...&q=x`);
    assert.equal(text, 'Sent: /sent?p=[hidden]&q=x or /sent?p=[hidden]&q=x');
    assert.equal((await call({ ...options, config: { values: { p: 'ё' } } })).url, `${site.origin}/sent?p=...&q=x`);
  });

  it('hides secrets that a redirect after the submission repeats in the encoding of the page', async (t) => {
    const html = cyrillicPage('method=post action=/sent');
    const site = await openSite(({ url }, response) => {
      if (url === '/page') return response.setHeader('content-type', cyrillic).end(html);
      if (url === '/sent') return response.writeHead(303, { location: `/user/${percentEncoded}` }).end();
      return response.destroy();
    });
    t.onTestFinished(site.close);
    const config = { values: { p: word } };
    const answer = call({ html, pageUrl: `${site.origin}/page`, input: { q: 'x' }, config });
    const { message, url } = await failureOf(answer, 'upstream-unreachable');
    assert.doesNotMatch(inspect({ message, url }), /%EF/i);
    assert.match(inspect({ message, url }), /\/user\/\[hidden\]/);
  });
});

describe('submitForm, for a page that has changed', () => {
  const sends = async (t: TestContext, html: string, options: Partial<CallOptions>): Promise<string> => {
    const { answer, site } = await visit(t, { html }, options);
    await answer;
    return bodies(site).join();
  };

  it('finds the form of a <webmcp-tool> among similar forms', async (t) => {
    const plain = (id: string, token: string): string =>
      `<form id=${id} method=post action=/sent><input type=hidden name=token value=${token}><input name=q></form>`;
    const html = `${plain('a', '1')}${plain('b', '2')}${plain('c', '3')}
      <webmcp-tool for=b name=t description=Two></webmcp-tool><webmcp-tool for=c name=u description=Three></webmcp-tool>`;
    assert.equal(await sends(t, html, { html, input: { q: 'x' } }), 'token=2&q=x');
  });

  it('finds the form that a <webmcp-tool> selects by its name or action, and none of excluded content', async (t) => {
    const plain = (attributes: string, token: string): string =>
      `<form method=post ${attributes}><input type=hidden name=token value=${token}><input name=q></form>`;
    const html = `${plain('action=/sent?a', '1')}<div data-webmcp-ignore>${plain('name=edit action=/sent', '2')}</div>
      ${plain('name=edit action=/sent', '3')}<webmcp-tool for-name=edit for-action=/sent name=t description=d></webmcp-tool>`;
    assert.equal(await sends(t, html, { html, input: { q: 'x' } }), 'token=3&q=x');
  });

  it('finds a form by data-toolname', async (t) => {
    const html = pageOf(form, controls).replace('toolname', 'data-toolname');
    const twice = `${html.replace('=t ', '=u ')}${html}`;
    assert.equal(await sends(t, twice, { input: { q: 'x' } }), 'csrf=old&q=x&s=1');
  });

  it('ignores added rows, and removed controls that the input does not set', async (t) => {
    const row = (index: number): string => `<input name=row-${index}>`;
    const hidden = '<input type=hidden name=id-0 value=0>';
    const html = pageOf(form, `<input name=author><input name=email>${hidden}${row(0)}<input name=q required>`);
    const now = pageOf(form, `${hidden}${row(0)}${row(1)}<input name=q required><input type=checkbox name=notify>`);
    assert.equal(await sends(t, now, { html, input: { q: 'x', 'row-0': 'y' } }), 'id-0=0&row-0=y&row-1=&q=x');
    const { answer } = await visit(t, { html: now }, { html, input: { q: 'x', author: 'me' } });
    assert.match((await failureOf(answer, 'page-drift')).message, /no parameter "author"/);
    const further = now.replace(hidden, `${hidden}<input type=hidden name=id-1 value=1>`);
    const config = { fresh: ['id-1'] };
    assert.equal(await sends(t, further, { html, input: { q: 'x' }, config }), 'id-0=0&id-1=1&row-0=&row-1=&q=x');
    const refused = await visit(t, { html: further }, { html, input: { q: 'x' } });
    assert.match((await failureOf(refused.answer, 'page-drift')).message, /further hidden control "id-1"/);
  });

  it('does not require a value for a required control of the manifest that the page lacks', async (t) => {
    const html = pageOf(form, '<input type=hidden name=id value=1><input name=author required><input name=q required>');
    const now = pageOf(form, '<input type=hidden name=id value=1><input name=q required>');
    assert.equal(await sends(t, now, { html, input: { q: 'x' } }), 'id=1&q=x');
    const { answer } = await visit(t, { html }, { html, input: { q: 'x' } });
    const { parameters } = await failureOf(answer, 'schema-error');
    assert.deepEqual(
      parameters.map(({ parameter, code }) => [parameter, code]),
      [['author', 'value-missing']],
    );
  });

  it('accepts the options and limits of the page', async (t) => {
    const html = pageOf(form, '<select name=author><option>1</select><input name=q maxlength=3>');
    const now = pageOf(form, '<select name=author><option>1<option>3</select><input name=q maxlength=3>');
    assert.equal(await sends(t, now, { html, input: { author: '3' } }), 'author=3&q=');
    const hidden = (page: string): string => page.replace('<select', '<input type=hidden name=h value=1><select');
    const wider = hidden(now).replace('maxlength=3', 'maxlength=9');
    assert.equal(await sends(t, wider, { html: hidden(html), input: { q: 'longer' } }), 'h=1&author=1&q=longer');
  });

  for (const [place, changed] of [
    ['name', `<input name="${secret}" required>`],
    ['label', `<label>${secret}<input name=a required></label>`],
    ['title', `<input name=b-2 value=b pattern=c title="${secret}">`],
    ['options', `<select name=a required><option value="">-<option>${secret}</select>`],
  ] as const) {
    it(`hides a secret that the page has in the ${place} of a control that rejects the input`, async (t) => {
      const html = pageOf(form, '<input type=hidden name=h value=1><input name=q><input name=b-1>');
      const config = { headers: { authorization: `Bearer ${secret}` } };
      const { answer } = await visit(t, { html: html.replace('</form>', `${changed}</form>`) }, { html, config });
      const { message, parameters } = await failureOf(answer, 'page-drift');
      assert.match(JSON.stringify([message, parameters]), /\[hidden\]/);
    });
  }

  it('reports the first of many errors that the page causes, without long schemas', async (t) => {
    const html = pageOf(form, '<input type=hidden name=h value=1><input name=q>');
    const added = Array.from({ length: 500 }, (_, index) => `<input name=a${index} required aria-label=long>`).join('');
    const now = html.replace('</form>', `${added}</form>`).replace('=long', `="${'x'.repeat(100_000)}"`);
    const { answer } = await visit(t, { html: now }, { html });
    const { message, parameters } = await failureOf(answer, 'page-drift');
    assert.match(message, /"a19" is required and must be text\. The input has 480 more errors\.$/);
    assert.deepEqual([parameters.length, parameters[1]?.expected.description], [20, 'long']);
    assert.match(parameters[0]?.expected.description ?? '', /^The schema has 1000\d\d characters\./);
  });

  it('reports the options of the page for a value that neither the manifest nor the page offers', async (t) => {
    const html = pageOf(form, '<select name=a><option>1</select>');
    const now = pageOf(form, '<select name=a><option>1<option>3</select>');
    const { answer, site } = await visit(t, { html: now }, { html, input: { a: '2' } });
    assert.match((await failureOf(answer, 'schema-error')).message, /"2".*"1", "3"/);
    assert.deepEqual(bodies(site), []);
  });

  it('presses the button of the manifest, although the page has another one first', async (t) => {
    const buttons = (...names: readonly string[]): string =>
      pageOf(
        form,
        `${controls}${names.map((name) => `<button name=${name} value=1 formaction=/sent>x</button>`).join('')}`,
      );
    const html = buttons('save').replace(' name=save', ' name=save');
    assert.equal(await sends(t, buttons('delete', 'save'), { html, input: { q: 'x' } }), 'csrf=old&q=x&s=1&save=1');
    const localized = buttons('delete', 'save').replace('name=save value=1', 'name=save value=Speichern');
    const config = { fresh: ['save'] };
    assert.equal(await sends(t, localized, { html, input: { q: 'x' }, config }), 'csrf=old&q=x&s=1&save=Speichern');
    const unnamed = pageOf(form, `${controls}<button>Save</button>`);
    const deleting = pageOf(form, `<button name=delete>x</button>${controls}<button>Save</button>`);
    assert.equal(await sends(t, deleting, { html: unnamed, input: { q: 'x' } }), 'csrf=old&q=x&s=1');
    for (const [before, now] of [
      [html, buttons('delete')],
      [html, localized],
      [html, pageOf(form, controls)],
      [unnamed, buttons('delete')],
    ] as const) {
      const { answer, site } = await visit(t, { html: now }, { html: before, input: { q: 'x' } });
      assert.match((await failureOf(answer, 'page-drift')).message, /submit button/);
      assert.deepEqual(bodies(site), []);
    }
  });

  it('presses the main button instead of a first button that is another action', async (t) => {
    const buttons =
      '<button name=more>Add more files</button><button formaction=/preview>Look</button><button>Save</button>';
    const html = pageOf(form, `${controls}${buttons}`);
    const read = { html, input: { q: 'x' } };
    assert.equal(await sends(t, html, read), 'csrf=old&q=x&s=1');
    assert.equal(await sends(t, html, { ...read, profile: 'chromium' }), 'csrf=old&q=x&s=1&more=');
    const chosen = pageOf(`${form} data-webmcp-submitter=more`, `${controls}${buttons}`);
    assert.equal(await sends(t, chosen, { ...read, html: chosen }), 'csrf=old&q=x&s=1&more=');
  });

  it('ignores tokens in the query of the action, and no other difference', async (t) => {
    const pageWith = (query: string): string => pageOf(`method=post action="/sent?${query}"`, controls);
    const html = pageWith('do=edit&id=1&sectok=a1');
    const { answer, site } = await visit(t, { html: pageWith('id=1&do=edit&sectok=b2&csrf=c3') }, { html });
    await answer;
    assert.equal(site.requests.at(-1)?.url, '/sent?id=1&do=edit&sectok=b2&csrf=c3');
    for (const query of ['do=edit&id=2&sectok=a1', 'do=edit&id=1&sectok=a1&lang=de', 'do=edit', 'do=edit&id=1&id=1']) {
      const refused = await visit(t, { html: pageWith(query) }, { html });
      await failureOf(refused.answer, 'page-drift');
      assert.equal(refused.site.requests.length, 1);
    }
  });

  it('submits to the URL of the page after a redirect that adds a parameter', async (t) => {
    const site = await openSite(({ url, method }, response) => {
      if (url === '/page') return response.writeHead(302, { location: '/page?lang=de' }).end();
      return response
        .setHeader('content-type', 'text/html')
        .end(method === 'POST' ? 'received' : pageOf('method=post', controls));
    });
    t.onTestFinished(site.close);
    await call({ html: pageOf('method=post', controls), pageUrl: `${site.origin}/page`, input: { q: 'x' } });
    assert.equal(site.requests.at(-1)?.url, '/page?lang=de');
  });
});

describe('submitForm, for a page that the session may not read', () => {
  const login = '<form method=post action=/login><input name=user><input type=password name=pass></form>';
  const advice = /log ?in.*session.*cookie/is;

  it('reports a redirect to a login with both URLs', async (t) => {
    const site = await openSite(({ url }, response) => {
      if (url.startsWith('/login')) return response.setHeader('content-type', 'text/html').end(login);
      return response.writeHead(302, { location: '/login?next=%2Fpage&token=abcdef123456' }).end();
    });
    t.onTestFinished(site.close);
    const answer = call({ html: pageOf(form, controls), pageUrl: `${site.origin}/page?id=1`, input: { q: 'x' } });
    const { message, url } = await failureOf(answer, 'login-required');
    assert.ok(
      message.includes(`${site.origin}/page?id=1 redirected to ${site.origin}/login?next=%2Fpage&token=[hidden]`),
    );
    assert.match(message, advice);
    assert.equal(url, `${site.origin}/page?id=1`);
    assert.deepEqual(bodies(site), []);
  });

  it('reports a login in the place of the page', async (t) => {
    const { answer, site } = await visit(t, { html: `<title>x</title>${login}` });
    const { message } = await failureOf(answer, 'login-required');
    assert.ok(message.includes(`${site.origin}/page has a password input instead of the form`), message);
  });

  it('does not report a login for a password input in content that the page excludes from tools', async (t) => {
    const ignored = `<div data-webmcp-ignore><p>My comment ${login}</div>`;
    for (const [status, code] of [
      [200, 'page-drift'],
      [403, 'page-forbidden'],
    ] as const) {
      const { answer } = await visit(t, { status, html: `<h1>Closed</h1>${ignored}` });
      await failureOf(answer, code);
      await failureOf((await visit(t, { status, html: ignored + login })).answer, 'login-required');
    }
  });

  it('submits a form beside a login', async (t) => {
    const { answer, site } = await visit(t, { html: `${login}${pageOf(form, controls)}` });
    await answer;
    assert.deepEqual(bodies(site), ['csrf=old&q=x&s=1']);
  });

  for (const [status, code, html] of [
    [401, 'login-required', 'no'],
    [403, 'login-required', login],
    [403, 'page-forbidden', 'no'],
    [404, 'page-not-found', 'no'],
    [410, 'page-not-found', 'no'],
    [500, 'page-unavailable', 'no'],
    [429, 'page-unavailable', login],
  ] as const) {
    it(`reports ${code} with the URL for the status ${status}`, async (t) => {
      const { answer, site } = await visit(t, { status, html });
      const { message } = await failureOf(answer, code);
      assert.ok(message.includes(`${site.origin}/page responded with the status ${status}.`), message);
      if (status < 404) assert.match(message, advice);
    });
  }

  it('reports the redirect to a page that is not a login', async (t) => {
    const site = await openSite(({ url }, response) => {
      if (url === '/home') return response.setHeader('content-type', 'text/html').end('<p>Welcome');
      return response.writeHead(302, { location: '/home' }).end();
    });
    t.onTestFinished(site.close);
    const answer = call({ html: pageOf(form, controls), pageUrl: `${site.origin}/page`, input: { q: 'x' } });
    const { message } = await failureOf(answer, 'page-drift');
    assert.ok(
      message.includes(`${site.origin}/page redirected to ${site.origin}/home, which has no form for the tool "t"`),
    );
  });

  it('reports that a redirect to another origin may be a login', async (t) => {
    const { answer } = await visit(t, { status: 302, headers: { location: 'https://sso.example/?token=S3CRET' } });
    const { message } = await failureOf(answer, 'redirect-elsewhere');
    assert.match(message, /redirects to https:\/\/sso\.example, which is not allowed\. If it is a login: .*GET http/);
  });

  it('logs in with a configured cookie, which the cookies of the session override', async (t) => {
    const site = await openSite(({ url, headers }, response) => {
      const { cookie = '' } = headers;
      if (url === '/sent') return response.end(cookie);
      if (!cookie.includes('sid=operator')) return response.writeHead(401).end();
      return response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'lang=de' })
        .end(pageOf(form, controls));
    });
    t.onTestFinished(site.close);
    const options = { html: pageOf(form, controls), pageUrl: `${site.origin}/page`, input: { q: 'x' } };
    await failureOf(call(options), 'login-required');
    const config = { headers: { Cookie: 'sid=operator; lang=en' } };
    const { status } = await call({ ...options, config });
    assert.equal(status, 200);
    assert.equal(site.requests.at(-1)?.headers.cookie, 'lang=de; sid=operator');
  });

  it("quotes the page's reason without secrets", async (t) => {
    const cookie = 'sid=a8f3k2m9x7q1w5z0; note=hello';
    const said = '<title>x</title><div role=alert>Page locked by &quot;Ann&quot; (a8f3k2m9x7q1w5z0).</div>';
    for (const [status, code] of [
      [200, 'page-drift'],
      [403, 'page-forbidden'],
      [404, 'page-not-found'],
      [503, 'page-unavailable'],
    ] as const) {
      const { answer } = await visit(t, { status, html: said }, { config: { headers: { cookie } } });
      assert.match(
        (await failureOf(answer, code)).message,
        /The page says: "Page locked by \\"Ann\\" \(\[hidden\]\)\."\./,
      );
    }
    const locked = pageOf(form, `${controls}<textarea name=text readonly>x</textarea><p>Locked.`);
    const html = pageOf(form, `${controls}<textarea name=text></textarea><button name=save>Save</button>`);
    const { answer } = await visit(t, { html: locked }, { html, input: { q: 'x' } });
    assert.match(
      (await failureOf(answer, 'page-drift')).message,
      /has no submit button "save" .*\. The page says: ".*Locked\."\. If the site /,
    );
    const long = await visit(t, { status: 404, html: `<p>${'x'.repeat(5000)}` });
    assert.ok((await failureOf(long.answer, 'page-not-found')).message.length < 1000);
  });

  it('hides configured values in the URL of a redirect to a page that rejects the input', async (t) => {
    const html = pageOf(form, controls.replace('</select>', '</select><input name=more required>'));
    const site = await openSite(({ url }, response) =>
      url === '/page'
        ? response.writeHead(302, { location: '/new?of=S3CRETword' }).end()
        : response.setHeader('content-type', 'text/html').end(html),
    );
    t.onTestFinished(site.close);
    const config = { headers: { authorization: 'Bearer S3CRETword' } };
    const options = { html: pageOf(form, controls), pageUrl: `${site.origin}/page`, input: { q: 'x' }, config };
    const { message, url, parameters } = await failureOf(call(options), 'page-drift');
    assert.match(message, /\/new\?of=\[hidden\] rejects the input/);
    assert.deepEqual([url, parameters.length], [`${site.origin}/new?of=[hidden]`, 1]);
  });

  it('hides configured values that a redirect repeats', async (t) => {
    const config = { headers: { authorization: 'Bearer S3CRETword' } };
    for (const [location, shown] of [
      ['/login?of=S3CRETword', /redirected to http:\S+\/login\?of=\[hidden\]\. /],
      ['/S3CRETword/login', /redirected to http:\S+\/\[hidden\]\/login\. /],
    ] as const) {
      const site = await openSite(({ url }, response) =>
        url === '/page'
          ? response.writeHead(302, { location }).end()
          : response.setHeader('content-type', 'text/html').end('<input type=password>'),
      );
      t.onTestFinished(site.close);
      const options = { html: pageOf(form, controls), pageUrl: `${site.origin}/page`, input: { q: 'x' }, config };
      assert.match((await failureOf(call(options), 'login-required')).message, shown);
    }
  });
});
