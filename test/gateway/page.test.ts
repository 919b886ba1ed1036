import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { CookieJar } from 'tough-cookie';
import { call, failureOf, pageOf, secret, type CallOptions } from './calls.js';
import { openSite, type Recorded, type Site } from './recording.js';

const known =
  '<input type=hidden name=csrf value=old><input name=q required><select name=s><option>1<option>2</select>';
const form = 'method=post action=/sent';

interface Visit {
  /** What the page is by now, if not what it was. */
  readonly now?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Submits a form whose page may have changed since it was compiled. */
async function visit(
  t: TestContext,
  { now = pageOf(form, known), status = 200, headers = {} }: Visit,
  options: Partial<CallOptions> = {},
) {
  const site: Site = await openSite(({ url }, response) => {
    if (url === '/sent') return response.end('taken');
    return response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(now);
  });
  t.after(site.close);
  const answer = call({ html: pageOf(form, known), pageUrl: `${site.origin}/page`, input: { q: 'x' }, ...options });
  answer.catch(() => undefined);
  return { site, answer };
}

const bodies = ({ requests }: Site): readonly string[] =>
  requests.filter(({ url }) => url === '/sent').map(({ body }) => body);

describe('the page of a form', () => {
  it('gives the token of the session that the form is sent in', async (t) => {
    let count = 0;
    const tokens = new Map<string, string>();
    const site = await openSite(({ url, headers, body }, response) => {
      const session = /sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? `s${++count}`;
      if (url === '/sent') {
        const isRight = new URLSearchParams(body).get('csrf') === tokens.get(session);
        return response.writeHead(isRight ? 200 : 403).end(session);
      }
      tokens.set(session, `token${Math.random()}`);
      const page = pageOf(form, known.replace('old', tokens.get(session) as string));
      return response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': `sid=${session}; HttpOnly` })
        .end(page);
    });
    t.after(site.close);
    const options = { html: pageOf(form, known), pageUrl: `${site.origin}/page`, input: { q: 'x' } };
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

  it('is not asked for where the configuration gives what is hidden', async (t) => {
    const { answer, site } = await visit(t, {}, { config: { values: { csrf: 'given' } } });
    await answer;
    assert.deepEqual(
      site.requests.map(({ method, url, body }: Recorded) => `${method} ${url} ${body}`),
      ['POST /sent csrf=given&q=x&s=1'],
    );
  });

  it('may have other hidden controls and other defaults than it had', async (t) => {
    const now = pageOf(
      'method=post action="/sent"',
      '<input type=hidden name=x1 value=1><input name=q required value=d><select name=s><option>1<option selected>2<option>3</select>',
    );
    const { answer, site } = await visit(t, { now });
    assert.equal((await answer).text, 'taken');
    assert.deepEqual(bodies(site), ['x1=1&q=x&s=2']);
  });

  it('may have lost the name of the tool', async (t) => {
    const now = `<form action=/search><input name=q></form>${pageOf(form, known).replace('toolname=t', '')}`;
    const { answer, site } = await visit(t, { now });
    await answer;
    assert.deepEqual(bodies(site), ['csrf=old&q=x&s=1']);
  });

  it('may be another one after a redirect', async (t) => {
    const site = await openSite(({ url }, response) => {
      if (url === '/page') return response.writeHead(302, { location: '/new/page' }).end();
      return response.setHeader('content-type', 'text/html').end(pageOf('method=post', known));
    });
    t.after(site.close);
    const html = pageOf('method=post action=/new/page', known);
    await call({ html, pageUrl: `${site.origin}/page`, input: { q: 'x' } });
    assert.deepEqual(
      site.requests.map(({ method, url }) => `${method} ${url}`),
      ['GET /page', 'GET /new/page', 'POST /new/page'],
    );
  });

  const select = '<select name=s><option>1<option>2</select>';
  const drifts: Readonly<Record<string, string>> = {
    'has no form': '<p>Log in',
    'has another form alone': pageOf(form, '<input name=z>').replace('toolname=t', 'toolname=z'),
    'has two forms that could be it': pageOf(form, known).replace('toolname=t', '').repeat(2),
    'has lost a control': pageOf(form, `<input type=hidden name=csrf value=${secret}><input name=q>`),
    'has one more control': pageOf(form, `${known}<input name=more>`),
    'has a control of another type': pageOf(form, `<input type=number name=q>${select}`),
    'is sent elsewhere': pageOf('method=post action=/other', known),
    'is sent otherwise': pageOf('action=/sent', known),
    'is encoded otherwise': pageOf(`${form} enctype=multipart/form-data`, known),
    'has a button that sends it elsewhere': pageOf(form, `${known}<button formaction=/other>Go</button>`),
    'has a button that sends it otherwise': pageOf(form, `${known}<button formmethod=get>Go</button>`),
    'has a button that encodes it otherwise': pageOf(form, `${known}<button formenctype=text/plain>Go</button>`),
    'has an image before all that sends it elsewhere': pageOf(form, `<input type=image formaction=/other>${known}`),
    'offers other values': pageOf(form, '<input name=q><select name=s><option>3<option>4</select>'),
    'has narrower limits': pageOf(form, `<input name=q maxlength=0>${select}`),
    'has another pattern': pageOf(form, `<input name=q pattern=y>${select}`),
  };
  for (const [name, now] of Object.entries(drifts)) {
    it(`is not what the manifest has, and nothing is sent: it ${name}`, async (t) => {
      const { answer, site } = await visit(t, { now }, { input: { q: 'x', s: '2' } });
      const { message } = await failureOf(answer, 'page-drift');
      assert.match(message, /^The page differs from the manifest: /);
      assert.deepEqual(bodies(site), []);
    });
  }

  for (const [name, now] of Object.entries({
    'is not there': { status: 404 },
    'is forbidden': { status: 403 },
    'is broken': { status: 500 },
    'is no HTML': { headers: { 'content-type': 'application/json' } },
    'is deeper than any page': { now: '<div>'.repeat(100_000) },
    'has more elements than any page': { now: '<br>'.repeat(300_000) },
    'has elements that breed': {
      now: `<p>${Array.from({ length: 400 }, (_, at) => `<b a=${at}>`).join('')}${'<p>x'.repeat(100_000)}`,
    },
  })) {
    it(`cannot be read, and nothing is sent: it ${name}`, async (t) => {
      const { answer, site } = await visit(t, now);
      const { message } = await failureOf(answer, 'page-unavailable');
      assert.doesNotMatch(message, /submission/);
      assert.deepEqual(bodies(site), []);
    });
  }

  it('gives the options of a sensitive select, which no manifest has', async (t) => {
    const html = pageOf(
      form,
      '<select name=m required autocomplete=cc-exp-month><option value>Month<option>01<option>02</select><input name=q>',
    );
    const given = await visit(t, { now: html }, { html, config: { values: { m: '02' } } });
    await given.answer;
    assert.deepEqual(bodies(given.site), ['m=02&q=x']);
    for (const config of [{}, { values: { m: secret } }]) {
      const { answer, site } = await visit(t, { now: html }, { html, config });
      await failureOf(answer, 'config-error');
      assert.deepEqual(bodies(site), []);
    }
  });

  it('is told no secret of in an error', async (t) => {
    const controls =
      '<input type=number step=7 autocomplete=cc-number name=n value=7361 min=0><input type=hidden name=h value=1>';
    const html = pageOf(form, controls);
    const now = pageOf(form, controls.replace('min=0', ''));
    const { answer } = await visit(t, { now }, { html, input: { n: 7 }, sensitive: 'include' });
    const error = await failureOf(answer, 'page-drift');
    assert.deepEqual(
      error.parameters.map(({ code, received }) => [code, received]),
      [['step-mismatch', '(not shown)']],
    );
    assert.doesNotMatch(inspect(error, { depth: Infinity }), /736/);
  });

  it('is asked for once its input is right alone', async (t) => {
    const { answer, site } = await visit(t, {}, { input: {} });
    await failureOf(answer, 'schema-error');
    assert.deepEqual(site.requests, []);
  });

  it('in another encoding is sent in UTF-8 or not at all', async (t) => {
    const headers = { 'content-type': 'text/html; charset=windows-1252' };
    const { answer, site } = await visit(t, { headers }, { input: { q: 'é' } });
    await failureOf(answer, 'unsupported-encoding');
    assert.deepEqual(bodies(site), []);
  });
});
