import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { memoryStorage } from '../../../gateway/src/stores/store.js';
import { envelopeOf, manifestOf, post, refusalOf, serveWebtool } from '../../support/gateway/webtool-site.js';

const start =
  '<form toolname=import tooldescription="Imports members." method=post action=/imports><textarea name=csv></textarea><button>Next</button></form>';
const [sessionId, cookie] = ['0123456789abcdef', 'SECRETSESSION123456'];

/** Serves a page as the answer to the first form, and returns the forms that the gateway offers. */
async function offersOf(t: TestContext, page: string, options: Parameters<typeof serveWebtool>[1] = {}) {
  const served = await serveWebtool(t, {
    manifest: manifestOf(start),
    continuePaths: ['/imports/**'],
    answering: (response, { method, url }) =>
      method === 'POST' && url === '/imports'
        ? response.writeHead(302, { location: '/imports/77', 'set-cookie': `sid=${cookie}` }).end()
        : response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    ...options,
  });
  const { data, error } = await envelopeOf(
    await post(served.url, { action: 'import', request: { csv: 'Ann' }, sessionId }),
  );
  assert.equal(error, undefined);
  const { forms = [] } = data ?? {};
  return { ...served, forms };
}

const formTo = (action: string): string => `<form method=post action="${action}"><button>Go</button></form>`;
const own = formTo('/imports/1');

describe('the forms that a session is offered', () => {
  for (const path of [
    '/imports/..%2fadmin',
    '/imports/%252e%252e/admin',
    '/imports/..;/admin',
    '/imports/..%3b/admin',
    '/imports/..%5cadmin',
    '/imports/x/..%2f..%2fadmin',
  ])
    it(`exclude the path ${path}, which a server may read as another one`, async (t) => {
      assert.deepEqual((await offersOf(t, formTo(path))).forms, []);
    });

  it('include paths with parameters and encoded characters below an allowed path', async (t) => {
    const { forms } = await offersOf(t, formTo('/imports/7;v=1/m%C3%A4p') + formTo('/imports/a%2fb'));
    assert.equal(forms.length, 2);
  });

  it('exclude a form in a shadow root, which can be in a comment', async (t) => {
    const shadow = `<div><template shadowrootmode=open>${own}</template></div>`;
    assert.deepEqual((await offersOf(t, `<div class=comment>${shadow}</div>`)).forms, []);
  });

  for (const control of [
    '<input type=hidden name=role value=admin>',
    '<button name=op value=delete class=primary>Save</button>',
  ])
    it(`exclude a form with the control ${control} in a comment inside it`, async (t) => {
      const page = `<form method=post action=/imports/1>Delete?<div class=comment>${control}</div><button>Delete</button></form>`;
      assert.deepEqual((await offersOf(t, page)).forms, []);
    });

  it('press their own default button, even if a button of a visitor precedes it', async (t) => {
    const buttons =
      '<button name=op value=review>Send to review</button><button class=primary name=op value=publish>Publish</button>';
    const page = `<button form=f>Cancel</button><form id=f method=post action=/imports/1>${buttons}</form>`;
    const { url, site, forms } = await offersOf(t, page);
    await post(url, { action: 'continue', request: { form: forms[0]?.form }, sessionId });
    assert.equal(site.requests.at(-1)?.body, 'op=review');
  });

  it('hide the secrets of the session, also in errors, but submit them', async (t) => {
    const page = `<h1>${cookie}</h1><form method=post action=/imports/1><label>A <select name=a><option value=0>A<option value="sid=${cookie}">${cookie}</select></label>
      <input name=back value="/x?sid=${cookie}"><button>Go</button></form>`;
    const { url, site, forms } = await offersOf(t, page);
    assert.equal(forms.length, 1);
    assert.doesNotMatch(JSON.stringify(forms), /SECRET/);
    const call = (input: object) =>
      post(url, { action: 'continue', request: { form: forms[0]?.form, input }, sessionId });
    const { error } = await envelopeOf(await call({ a: 'other' }));
    assert.equal(error?.code, 'SCHEMA_ERROR');
    assert.doesNotMatch(JSON.stringify(error), /SECRET/);
    await call({});
    assert.equal(site.requests.at(-1)?.body, `a=0&back=%2Fx%3Fsid%3D${cookie}`);
  });

  it('are submitted only if the operator still allows their paths', async (t) => {
    const sessions = memoryStorage();
    const { site, forms } = await offersOf(t, own, { sessions });
    const other = await serveWebtool(t, {
      manifest: manifestOf(start),
      continuePaths: ['/other/**'],
      baseUrl: site.origin,
      sessions,
    });
    const count = site.requests.length;
    const body = { action: 'continue', request: { form: forms[0]?.form }, sessionId };
    await refusalOf(post(other.url, body), 409, 'FORM_NOT_OFFERED');
    assert.equal(site.requests.length, count);
  });
});
