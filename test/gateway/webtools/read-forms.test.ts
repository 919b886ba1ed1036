import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { createPageReader } from '../../../gateway/src/node/index.js';
import type { WebtoolMetadata } from '../../../gateway/src/webtools/webtool.js';
import { envelopeOf, manifestOf, post, refusalOf, serveWebtool } from '../../support/gateway/webtool-site.js';

const controls = (text: string): string => `
  <input name=title value="Kettles" maxlength=200><input name=size type=number value=4><input name=empty>
  <textarea name=text>\n${text}</textarea><input type=checkbox name=minor checked><input type=checkbox name=watch>
  <select name=state><option>draft<option selected>open</select>
  <select name=tags multiple><option selected>a<option>b</select><input name=row value=1><input name=row value=2>
  <input type=hidden name=csrf value=d41d8cd98f00b204e9800998><input type=password name=word value=SECRET2><input type=file name=file>
  <input name=card autocomplete=cc-number value=SECRET3>`;
const html = (text: string): string =>
  `<!doctype html><title>Wiki</title><main><h1>Edit</h1><p>3 people watch this page. d41d8cd98f00b204e9800998</p>
   <form toolname=edit tooldescription="Edits a page." method=post action=/edit>${controls(text)}<button>Save</button></form></main>`;

const long = 'A kettle boils water. '.repeat(100).trim();

/** Serves a page whose text has changed since it was compiled. */
const serveWiki = (t: TestContext, options: Parameters<typeof serveWebtool>[1] = {}) =>
  serveWebtool(t, {
    manifest: manifestOf(html('Old.')),
    readForms: true,
    answering: (response, { headers }) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=abcdefgh12345678' })
        .end(html(headers.cookie === undefined ? long : 'Seen before.')),
    ...options,
  });

const read = { action: 'read_edit', request: {} };

describe('the companion of a form', () => {
  it('returns no secret of the session, the configuration or a hidden control in values', async (t) => {
    const secrets = ['abcdefgh12345678', 'd41d8cd98f00b204e9800998', 'CONFIGURED99'];
    const page = html('Old.').replace('value="Kettles"', `value="/back?sid=${secrets.join('&t=')}"`);
    const { url } = await serveWiki(t, {
      config: { values: { edit: { word: 'CONFIGURED99' } } },
      answering: (response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=abcdefgh12345678' }).end(page),
    });
    const { data } = await envelopeOf(await post(url, read));
    const { values = {} } = data ?? {};
    assert.equal(values.title, '/back?sid=[hidden]&t=[hidden]&t=[hidden]');
  });

  for (const [where, options] of [
    ['this thread', {}],
    ['another thread', { pageReader: createPageReader({ minBytes: 0 }) }],
  ] as const)
    it(`returns the current values and the text of the page, read in ${where}`, async (t) => {
      const { url, site } = await serveWiki(t, options);
      const { data, error } = await envelopeOf(await post(url, read));
      assert.equal(error, undefined);
      const { values, text, status } = data ?? {};
      assert.deepEqual(values, {
        ...{
          title: 'Kettles',
          size: 4,
          empty: null,
          text: long,
          minor: true,
          watch: false,
          state: 'open',
          tags: ['a'],
        },
        row: ['1', '2'],
      });
      assert.equal(status, 200);
      assert.match(String(text), /^Edit 3 people watch this page\./);
      assert.doesNotMatch(JSON.stringify(data), /SECRET|d41d8/);
      assert.deepEqual(
        site.requests.map(({ method }) => method),
        ['GET'],
      );
    });

  it('reads in the session of the call', async (t) => {
    const { url } = await serveWiki(t);
    const sessionId = '0123456789abcdef';
    await post(url, { ...read, sessionId });
    const { data } = await envelopeOf(await post(url, { ...read, sessionId }));
    assert.equal(data?.values?.['text'], 'Seen before.');
  });

  it('is read-only, has no parameters, and describes its values', async (t) => {
    const { url } = await serveWiki(t);
    const metadata = (await (await fetch(url)).json()) as WebtoolMetadata;
    assert.deepEqual(
      metadata.actions.map(({ name, readOnly, consequential }) => [name, readOnly, consequential]),
      [
        ['edit', false, true],
        ['read_edit', true, false],
      ],
    );
    assert.deepEqual(metadata.actions[1]?.requestSchema.properties, {});
    assert.match(JSON.stringify(metadata.actions[1]?.responseSchema), /"values"/);
    assert.match(String(metadata.actions[1]?.description), /^Returns the current values of the form of edit,/);
  });

  it('refuses parameters without reading the form', async (t) => {
    const { url, site } = await serveWiki(t);
    const message = await refusalOf(post(url, { action: 'read_edit', request: { text: 'x' } }), 422, 'SCHEMA_ERROR');
    assert.match(message, /"read_edit" has no parameters/);
    assert.equal(site.requests.length, 0);
  });

  it('does not exist without the option', async (t) => {
    const { url } = await serveWiki(t, { readForms: false });
    await refusalOf(post(url, read), 404, 'ACTION_NOT_FOUND');
  });

  it('reports a page without the form, and a login', async (t) => {
    const answering = (content: string, status = 200) => ({
      answering: (response: import('node:http').ServerResponse) =>
        response.writeHead(status, { 'content-type': 'text/html' }).end(content),
    });
    const missing = await serveWiki(t, answering('<p>Nothing here.'));
    await refusalOf(post(missing.url, read), 502, 'PAGE_DRIFT');
    const login = await serveWiki(t, answering('<form><input type=password name=p></form>', 401));
    await refusalOf(post(login.url, read), 502, 'LOGIN_REQUIRED');
  });
});
