import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, it, type TestContext } from 'vitest';
import type { JsonValue } from '../../src/compiler/index.js';
import { GatewayError, type GatewayErrorCode } from '../../gateway/src/index.js';
import { runAction, type ActionResult, type RunOptions } from '../../gateway/src/run-action.js';
import { resolveSettings, type GatewayOptions } from '../../gateway/src/settings.js';
import { webtoolFor } from '../../gateway/src/webtools/webtool.js';
import { secret, toolOf } from '../support/gateway/calls.js';
import { openSite, type Recorded, type Site } from '../support/gateway/recording.js';

const page = (controls: string, attributes = 'method=post'): string =>
  `<title>x</title><form toolname=t tooldescription=t action=/sent ${attributes}>${controls}</form>`;

interface Setup {
  readonly site: Site;
  readonly run: (input: JsonValue, call?: RunOptions & { readonly name?: string }) => Promise<ActionResult>;
  readonly sent: () => readonly Recorded[];
}

type Answer = (request: Recorded) => { readonly status?: number; readonly headers?: object; readonly body?: string };

/** Opens a site with one page, and its gateway. */
async function open(
  context: TestContext,
  html: string,
  options: Partial<GatewayOptions> = {},
  answer: Answer = ({ body }) => ({ body }),
): Promise<Setup> {
  const site = await openSite((request, response) => {
    const {
      status = 200,
      headers = { 'content-type': 'text/plain' },
      body = '',
    } = request.url === '/page'
      ? { headers: { 'content-type': 'text/html', 'set-cookie': 'a=1' }, body: html }
      : answer(request);
    response.writeHead(status, { ...headers }).end(body);
  });
  context.onTestFinished(site.close);
  const settings = resolveSettings({ baseUrl: site.origin, allowPrivateAddresses: true, ...options });
  const manifest = {
    name: 'site',
    description: '',
    version: '1.0.0',
    pages: [{ path: 'page', tools: [toolOf(html)] }],
  };
  const webtool = await webtoolFor(manifest, settings);
  return {
    site,
    run: (input, { name = 't', ...call } = {}) => runAction(settings, webtool, name, input, call),
    sent: () => site.requests.filter(({ url }) => url.startsWith('/sent')),
  };
}

async function refusal(promise: Promise<unknown>, code: GatewayErrorCode): Promise<GatewayError> {
  const error = await promise.then(
    (value) => assert.fail(`it succeeded: ${inspect(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw error;
  assert.equal(error.code, code, error.message);
  assert.doesNotMatch(inspect(error, { depth: Infinity }), new RegExp(secret));
  return error;
}

describe('runAction', () => {
  it('submits the values of the operator and of the client', async (context) => {
    const html = page(
      '<input name=q><input type=hidden name=a><input type=hidden name=b><input type=password name=p required>',
    );
    const { run, sent } = await open(context, html, {
      config: { values: { t: { p: 'secret-of-operator', b: 'operators' } }, headers: { 'x-key': 'k' } },
    });
    const config = { authorization: 'Bearer of-the-client', values: { t: { a: 'clients' } } };
    await run({ q: 'x' }, { config });
    const [request] = sent();
    assert.equal(request?.body, 'q=x&a=clients&b=operators&p=secret-of-operator');
    assert.equal(request.headers.authorization, 'Bearer of-the-client');
    assert.equal(request.headers['x-key'], 'k');
  });

  const invalidConfigs: readonly (readonly [string, JsonValue, RegExp])[] = [
    ['is not an object', [secret], /type/i],
    ['has an unknown member', { headers: { a: secret } }, /"headers" does not exist/],
    ['has values of an action without inputs', { values: { other: { a: secret } } }, /"values\/other" does not exist/],
    [
      'has a value of an input that is neither hidden nor sensitive',
      { values: { t: { q: secret } } },
      /"values\/t\/q" does not exist/,
    ],
    ['has a value that is not a string', { values: { t: { a: 1 } } }, /"values\/t\/a"/],
    [
      'has a value that the operator sets',
      { values: { t: { b: secret } } },
      /"values\/t\/b" does not exist, or is set by the operator of the gateway/,
    ],
    [
      'has the authorization that the operator sets',
      { authorization: secret },
      /"authorization" does not exist, or is set by the operator/,
    ],
    ['has an invalid header value', { authorization: `${secret}\r\nx: y` }, /authorization/],
  ];
  for (const [problem, config, message] of invalidConfigs) {
    it(`rejects a configuration that ${problem} before it sends a request`, async (context) => {
      const html = page('<input name=q><input type=hidden name=a><input type=hidden name=b>');
      const headers = problem.includes('invalid') ? {} : { Authorization: 'Bearer of-operator' };
      const { run, site } = await open(context, html, { config: { values: { t: { b: 'x' } }, headers } });
      const error = await refusal(run({ q: 'x' }, { config }), 'config-error');
      assert.match(error.message, message);
      assert.deepEqual(site.requests, []);
    });
  }

  it('rejects an unknown action with the names of the actions', async (context) => {
    const { run } = await open(context, page(''));
    for (const name of ['x', '__proto__', 'constructor', 'toString']) {
      const { message } = await refusal(run({}, { name }), 'action-not-found');
      assert.equal(message, 'The action does not exist. The webtool has: t.');
    }
  });

  it('separates sessions by account', async (context) => {
    const answer: Answer = ({ headers }) => ({ headers: { 'set-cookie': 'who=me' }, body: headers.cookie ?? '' });
    const { run } = await open(context, page('<input name=q>'), {}, answer);
    const cookies = async (sessionId: string, authorization?: string): Promise<unknown> =>
      (await run({}, { sessionId, ...(authorization && { config: { authorization } }) })).answer.text;
    assert.equal(await cookies('one'), '');
    assert.equal(await cookies('one'), 'who=me');
    assert.equal(await cookies('two'), '');
    assert.equal(await cookies('one', 'Bearer x'), '');
    assert.equal(await cookies('one', 'Bearer x'), 'who=me');
  });

  it('saves the cookies of a failed call', async (context) => {
    const answer: Answer = ({ headers }) => ({ status: headers.cookie ? 200 : 500, headers: { 'set-cookie': 'a=1' } });
    const { run } = await open(context, page(''), {}, answer);
    const { message } = await refusal(run({}, { sessionId: 'one' }), 'upstream-error');
    assert.match(message, /status 500\. The site may have processed the submission/);
    assert.equal((await run({}, { sessionId: 'one' })).answer.status, 200);
  });

  it('returns the text of a page with status 500, its messages first, without secrets', async (context) => {
    const body = `<nav>Menu</nav><p hidden>${'help '.repeat(300)}</p><main><h1>Upload</h1><p>\u202e${'x '.repeat(2000)}</main>
      <div class="wp-die-message">Sorry, you are not allowed to upload ${secret}-of-the-operator.</div>`;
    const answer: Answer = () => ({ status: 500, headers: { 'content-type': 'text/html' }, body });
    const config = { headers: { 'x-key': `${secret}-of-the-operator` } };
    const { run } = await open(context, page(''), { config }, answer);
    const { message } = await refusal(run({}), 'upstream-error');
    const start =
      'The site failed with the status 500. The site may have processed the submission. Check before you send it again. ' +
      'The site responded: "Sorry, you are not allowed to upload [hidden]. Upload x x x';
    assert.equal(message.slice(0, start.length), start);
    assert.equal(message.length, start.indexOf('Sorry') + 2000 + '...".'.length);
  });

  it('returns the JSON of a response with status 503', async (context) => {
    const headers = { 'content-type': 'application/json' };
    const { run } = await open(context, page(''), {}, () => ({ status: 503, headers, body: '{"error":"Closed"}' }));
    assert.match(
      (await refusal(run({}), 'upstream-error')).message,
      /The site responded: "\{\\"error\\":\\"Closed\\"\}"\.$/,
    );
  });

  it('returns a response with status 404', async (context) => {
    const { run } = await open(context, page(''), {}, () => ({ status: 404, body: 'no' }));
    assert.equal((await run({})).answer.status, 404);
  });
});

describe('runAction, with secrets', () => {
  const controls =
    '<input type=hidden name=token value=token-of-the-page><input type=hidden name=lang value=en><input type=password name=p>';
  const config = {
    values: { t: { p: 'pass' } },
    headers: { authorization: 'Bearer bearer-token', 'x-key': 'key-of-operator' },
  };

  it('hides secrets that the site repeats', async (context) => {
    const answer: Answer = ({ body, headers }) => ({
      headers: { 'content-type': 'application/json', 'set-cookie': 'session=cookie-of-the-session' },
      body: JSON.stringify({
        said: [body, headers.authorization, headers['x-key'], 'bearer-token', 'cookie-of-the-session'],
        'token-of-the-page': { lang: 'en' },
      }),
    });
    const { run } = await open(context, page(controls), { config }, answer);
    assert.deepEqual((await run({})).answer.json, {
      said: ['token=[hidden]&lang=en&p=[hidden]', '[hidden]', '[hidden]', '[hidden]', '[hidden]'],
      '[hidden]': { lang: 'en' },
    });
  });

  it('hides secrets in the URL of the response', async (context) => {
    const { run } = await open(context, page(controls, 'method=get'), { config });
    const { url, text } = (await run({})).answer;
    assert.match(url, /\/sent\?token=\.\.\.&lang=en&p=\.\.\.$/);
    assert.equal(text, '');
  });

  it('hides the password of the base URL', async (context) => {
    const answer: Answer = ({ headers }) => ({
      body: `${headers.authorization} ${atob(String(headers.authorization).slice(6))}`,
    });
    const { site } = await open(context, page(''), {}, answer);
    const settings = resolveSettings({
      baseUrl: site.origin.replace('//', '//me:pass%20word@'),
      allowPrivateAddresses: true,
    });
    const manifest = {
      name: 's',
      description: '',
      version: '1.0.0',
      pages: [{ path: 'page', tools: [toolOf(page(''))] }],
    };
    const { answer: result } = await runAction(settings, await webtoolFor(manifest, settings), 't', {}, {});
    assert.equal(result.text, '[hidden] [hidden]');
  });
});
