import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'vitest';
import { createPageReader } from '../../../gateway/src/node/index.js';
import { memoryStorage } from '../../../gateway/src/stores/store.js';
import type { Recorded } from '../../support/gateway/recording.js';
import {
  envelopeOf,
  type Envelope,
  manifestOf,
  post,
  refusalOf,
  serveWebtool,
} from '../../support/gateway/webtool-site.js';

const start =
  '<form toolname=import tooldescription="Imports members." method=post action=/imports><textarea name=csv></textarea><button>Next</button></form>';
const token = 'd41d8cd98f00b204e9800998ecf8427e';

/** The second step of a wizard, with a token and a button for the first step. */
const step2 = (more = ''): string => `<!doctype html><title>Import</title><h1>Columns</h1>
  <form method=post action=/imports/77/mapping><input type=hidden name=authenticity_token value=${token}>
  <label>Name column <select name=name><option value=0>First<option value=1>Second</select></label>
  <label>Note <input name=note maxlength=5></label>
  <button name=previous>« Previous</button><button>Import</button></form>${more}`;

type Respond = (request: Recorded, response: ServerResponse) => void;

const pages: Respond = ({ url, method }, response) => {
  if (url === '/imports' && method === 'POST')
    return void response.writeHead(302, { location: '/imports/77/mapping', 'set-cookie': 'sid=abc' }).end();
  response.setHeader('content-type', 'text/html');
  response.end(method === 'POST' ? '<p role=status>2 members imported</p>' : step2());
};

const sessionId = '0123456789abcdef';

const serveSite = (t: TestContext, respond: Respond = pages, options: Parameters<typeof serveWebtool>[1] = {}) =>
  serveWebtool(t, {
    manifest: manifestOf(start),
    continuePaths: ['/imports/**'],
    answering: (response, request) => respond(request, response),
    ...options,
  });

/** Calls the first step, and returns the forms of its answer. */
async function firstStep(url: string, session = sessionId): Promise<NonNullable<Envelope['data']>> {
  const body = { action: 'import', request: { csv: 'Ann\nBob' }, ...(session && { sessionId: session }) };
  const { data, error } = await envelopeOf(await post(url, body));
  assert.equal(error, undefined);
  assert.ok(data);
  return data;
}

const next = (form: string, input: object): object => ({ action: 'continue', request: { form, input }, sessionId });

describe('the continuation of a session', () => {
  for (const [where, options] of [
    ['this thread', {}],
    ['another thread', { pageReader: createPageReader({ minBytes: 0 }) }],
    ['this thread, with encrypted sessions', { sessionKeys: [randomBytes(32).toString('base64')] }],
  ] as const)
    it(`submits a form that the manifest lacks, read in ${where}`, async (t) => {
      const { url, site } = await serveSite(t, pages, options);
      const { forms = [] } = await firstStep(url);
      assert.deepEqual(
        forms.map(({ title, requestSchema }) => [
          title,
          Object.keys((requestSchema as { properties: object }).properties),
        ]),
        [['Columns: Import', ['name', 'note']]],
      );
      assert.doesNotMatch(JSON.stringify(forms), new RegExp(token));
      const form = forms[0]?.form as string;
      const { data } = await envelopeOf(await post(url, next(form, { name: '1', note: 'x' })));
      assert.deepEqual(data?.messages, ['2 members imported']);
      const { method, url: path, body, headers } = site.requests.at(-1) as Recorded;
      assert.deepEqual([method, path], ['POST', '/imports/77/mapping']);
      assert.equal(body, `authenticity_token=${token}&name=1&note=x`);
      assert.equal(headers.cookie, 'sid=abc');
      assert.equal(headers.referer, `${site.origin}/imports/77/mapping`);
    });

  it('submits each form once, also with calls at the same time', async (t) => {
    const { url, site } = await serveSite(t);
    const { forms = [] } = await firstStep(url);
    const body = next(forms[0]?.form as string, { name: '0' });
    const statuses = await Promise.all([1, 2, 3].map(async () => (await post(url, body)).status));
    assert.deepEqual(statuses.sort(), [200, 409, 409]);
    assert.equal(site.requests.filter(({ url }) => url === '/imports/77/mapping' && url).length, 2); // one GET, one POST
    await refusalOf(post(url, body), 409, 'FORM_NOT_OFFERED');
  });

  it('checks the input before anything is sent, and keeps the form', async (t) => {
    const { url, site } = await serveSite(t);
    const { forms = [] } = await firstStep(url);
    const form = forms[0]?.form as string;
    const count = site.requests.length;
    await refusalOfInput(url, next(form, { note: 'too long' }));
    await refusalOfInput(url, next(form, { other: 'x' }));
    await refusalOfInput(url, { ...next(form, {}), request: { form, extra: 1 } });
    await refusalOfInput(url, { ...next(form, {}), request: { input: {} } });
    assert.equal(site.requests.length, count);
    assert.equal((await post(url, next(form, { note: 'x' }))).status, 200);
  });

  it('belongs to its session', async (t) => {
    const { url, site } = await serveSite(t);
    const { forms = [] } = await firstStep(url);
    const form = forms[0]?.form as string;
    const count = site.requests.length;
    await refusalOf(post(url, { ...next(form, {}), sessionId: 'fedcba9876543210' }), 409, 'FORM_NOT_OFFERED');
    await refusalOf(post(url, { action: 'continue', request: { form } }), 409, 'FORM_NOT_OFFERED');
    await refusalOf(post(url, next('__proto__', {})), 409, 'FORM_NOT_OFFERED');
    assert.equal(site.requests.length, count);
  });

  it('offers nothing without a session, without the option, or on another path', async (t) => {
    const { url } = await serveSite(t);
    assert.equal((await firstStep(url, '')).forms, undefined);
    for (const continuePaths of [[], ['/other/**'], ['/imports']]) {
      const other = await serveSite(t, pages, { continuePaths });
      assert.equal((await firstStep(other.url)).forms, undefined);
    }
  });

  it('replaces the forms of a session by the forms of its last answer', async (t) => {
    const { url } = await serveSite(t);
    const [first, second] = [await firstStep(url), await firstStep(url)];
    await refusalOf(post(url, next(first.forms?.[0]?.form as string, {})), 409, 'FORM_NOT_OFFERED');
    assert.equal((await post(url, next(second.forms?.[0]?.form as string, {}))).status, 200);
  });

  const refused: Readonly<Record<string, string>> = {
    'to another path': '<form method=post action=/admin><button>Go</button></form>',
    'to another origin': '<form method=post action=https://other.example/imports/1><button>Go</button></form>',
    'with a button to another path': '<form method=post action=/imports/1><button formaction=/admin>Go</button></form>',
    'in a comment of a visitor':
      '<div class=comment><form method=post action=/imports/1><button>Go</button></form></div>',
    'in excluded content':
      '<div data-webmcp-ignore><form method=post action=/imports/1><button>Go</button></form></div>',
    'without a button': '<form method=post action=/imports/1><input name=a></form>',
    'with a required password':
      '<form method=post action=/imports/1><input type=password name=p required><button>Go</button></form>',
    'of a tool of the manifest': start.replace('/imports', '/imports/1'),
  };
  for (const [which, form] of Object.entries(refused))
    it(`does not offer a form ${which}`, async (t) => {
      const respond: Respond = ({ method }, response) =>
        method === 'POST'
          ? void response.writeHead(302, { location: '/imports/77' }).end()
          : void response.writeHead(200, { 'content-type': 'text/html' }).end(form);
      const { url } = await serveSite(t, respond);
      assert.equal((await firstStep(url)).forms, undefined);
    });

  it('offers a form with the name of a tool and another control, such as the question of a confirmation', async (t) => {
    const question = start.replace('/imports', '/imports/1').replace('<button>', '<input name=todo><button>');
    const respond: Respond = ({ method }, response) =>
      method === 'POST'
        ? void response.writeHead(302, { location: '/imports/77' }).end()
        : void response.writeHead(200, { 'content-type': 'text/html' }).end(question);
    const { url, site } = await serveSite(t, respond);
    const { forms = [] } = await firstStep(url);
    await post(url, next(forms[0]?.form as string, { todo: 'destroy' }));
    assert.equal(
      site.requests.find(({ url, method }) => url === '/imports/1' && method === 'POST')?.body,
      'csv=&todo=destroy',
    );
  });

  it('sends no control that a visitor adds by the attribute form', async (t) => {
    const respond: Respond = (request, response) =>
      request.method === 'GET'
        ? void response
            .writeHead(200, { 'content-type': 'text/html' })
            .end(step2('<input form=f name=role value=admin>').replace('<form', '<form id=f'))
        : pages(request, response);
    const { url, site } = await serveSite(t, respond);
    const { forms = [] } = await firstStep(url);
    await post(url, next(forms[0]?.form as string, {}));
    assert.equal(site.requests.at(-1)?.body, `authenticity_token=${token}&name=0&note=`);
  });

  it('offers at most 20 forms of a page, and counts the others', async (t) => {
    const each = '<form method=post action=/imports/1><input type=hidden name=id value=1><button>Add</button></form>';
    const respond: Respond = ({ method }, response) =>
      method === 'POST'
        ? void response.writeHead(302, { location: '/imports/77' }).end()
        : void response.writeHead(200, { 'content-type': 'text/html' }).end(each.repeat(25));
    const { url } = await serveSite(t, respond);
    const { forms = [], omittedForms } = await firstStep(url);
    assert.deepEqual([forms.length, omittedForms], [20, 5]);
  });

  it('belongs to its site, if several gateways share a store', async (t) => {
    const sessions = memoryStorage();
    const { url } = await serveSite(t, pages, { sessions });
    const { forms = [] } = await firstStep(url);
    const other = await serveSite(t, pages, { sessions });
    await refusalOf(post(other.url, next(forms[0]?.form as string, {})), 409, 'FORM_NOT_OFFERED');
    assert.equal((await post(url, next(forms[0]?.form as string, {}))).status, 200);
  });
});

async function refusalOfInput(url: string, body: object): Promise<void> {
  const { error } = await envelopeOf(await post(url, body));
  assert.equal(error?.code, 'SCHEMA_ERROR', error?.message);
}
