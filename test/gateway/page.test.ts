import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { CookieJar } from 'tough-cookie';
import { call, failureOf, pageOf, secret, type CallOptions } from './calls.js';
import { openSite, type Recorded, type Site } from './recording.js';

const controls =
  '<input type=hidden name=csrf value=old><input name=q required><select name=s><option>1<option>2</select>';
const form = 'method=post action=/sent';

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
  t.after(site.close);
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
    t.after(site.close);
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

  it('does not read the page if the configuration sets the hidden controls', async (t) => {
    const { answer, site } = await visit(t, {}, { config: { values: { csrf: 'configured' } } });
    await answer;
    assert.deepEqual(
      site.requests.map(({ method, url, body }: Recorded) => `${method} ${url} ${body}`),
      ['POST /sent csrf=configured&q=x&s=1'],
    );
  });

  it('submits other hidden controls and other defaults', async (t) => {
    const now = pageOf(
      'method=post action="/sent"',
      '<input type=hidden name=x1 value=1><input name=q required value=d><select name=s><option>1<option selected>2<option>3</select>',
    );
    const { answer, site } = await visit(t, { html: now });
    assert.equal((await answer).text, 'received');
    assert.deepEqual(bodies(site), ['x1=1&q=x&s=2']);
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
    t.after(site.close);
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
    'has one control less': pageOf(form, `<input type=hidden name=csrf value=${secret}><input name=q>`),
    'has one more control': pageOf(form, `${controls}<input name=more>`),
    'has a control of another type': pageOf(form, `<input type=number name=q>${select}`),
    'has another action': pageOf('method=post action=/other', controls),
    'has another method': pageOf('action=/sent', controls),
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
      const { answer, site } = await visit(t, { html: now }, { input: { q: 'x', s: '2' } });
      const { message } = await failureOf(answer, 'page-drift');
      assert.match(message, /^The page differs from the manifest: /);
      assert.deepEqual(bodies(site), []);
    });
  }

  for (const [name, now] of Object.entries({
    'does not exist': { status: 404 },
    'is forbidden': { status: 403 },
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

  it('does not read the page for an invalid input', async (t) => {
    const { answer, site } = await visit(t, {}, { input: {} });
    await failureOf(answer, 'schema-error');
    assert.deepEqual(site.requests, []);
  });

  it('sends nothing if the encoding of the page does not support the values', async (t) => {
    const headers = { 'content-type': 'text/html; charset=windows-1252' };
    const { answer, site } = await visit(t, { headers }, { input: { q: 'é' } });
    await failureOf(answer, 'unsupported-encoding');
    assert.deepEqual(bodies(site), []);
  });
});
