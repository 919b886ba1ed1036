import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { call, failureOf, pageOf, type CallOptions } from '../../support/gateway/calls.js';
import { openSite, type Recorded } from '../../support/gateway/recording.js';

const hidden = (name: string, value: string): string => `<input type=hidden name="${name}" value=${value}>`;

const form = (controls: string, action = '/sent'): string =>
  pageOf(`method=post action="${action}"`, `${hidden('to', 'site')}${controls}<input name=q>`);

/** Calls the tool of a manifest whose page has changed. Returns the submission. */
async function visit(
  t: TestContext,
  page: string | Buffer,
  html: string,
  config: CallOptions['config'] = {},
): Promise<Recorded | undefined> {
  const site = await openSite(({ url }, response) =>
    url?.startsWith('/sent')
      ? response.end('received')
      : response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
  );
  t.onTestFinished(site.close);
  const calling = call({ html, pageUrl: `${site.origin}/page`, input: { q: 'x' }, config });
  return await calling.then(
    () => site.requests.at(-1),
    async () => {
      await failureOf(calling, 'page-drift');
      assert.equal(site.requests.length, 1);
      return undefined;
    },
  );
}

describe('submitForm, for the tokens of a form', () => {
  const tokens = {
    Rails: 'authenticity_token',
    Laravel: '_token',
    Django: 'csrfmiddlewaretoken',
    Symfony: 'user[_token]',
    'Symfony without a prefix': '_csrf_token',
    'ASP.NET': '__RequestVerificationToken',
    WordPress: '_wpnonce',
    MediaWiki: 'wpEditToken',
    'the login of MediaWiki': 'wpLoginToken',
    DokuWiki: 'sectok',
    CakePHP: '_csrfToken',
    'the fields of CakePHP': '_Token[fields]',
    Drupal: 'form_token',
    Magento: 'form_key',
    'Craft CMS': 'CRAFT_CSRF_TOKEN',
  };
  for (const [framework, name] of Object.entries(tokens)) {
    it(`sends a fresh token of ${framework}, in a control and in the URL of the form`, async (t) => {
      const html = form(hidden(name, 'old'), `/sent?${name}=old`);
      const request = await visit(t, html.replaceAll('old', 'new'), html);
      assert.equal(new URLSearchParams(request?.body).get(name), 'new');
      assert.equal(request?.url, `/sent?${name}=new`);
    });
  }

  for (const name of ['form_key', '_token', 'csrf_token']) {
    it(`sends one token ${name} that the manifest lacks, in a control or in the URL of the form`, async (t) => {
      const control = await visit(t, form(hidden(name, 'new')), form(''));
      assert.equal(control?.body, `to=site&${name}=new&q=x`);
      const parameter = await visit(t, form('', `/sent?a=1&${name}=new`), form('', '/sent?a=1'));
      assert.equal(parameter?.url, `/sent?a=1&${name}=new`);
    });
  }

  for (const name of [
    ...['form.key', 'form key', 'form%20key', 'form[key', '+form_key', ' form_key', 'form_key&#0;', '_token&#0;'],
    ...[
      'user[_token]',
      '_token[]',
      'token[]',
      'token',
      '_token[a]',
      'csrf[]',
      '_csrf.token',
      '_csrf;token',
      'form_kEy',
    ],
    ...['\xc1\x9ftoken', '_\xc1\xb4oken', 'csrf_token\0'],
  ]) {
    it(`sends nothing if the form has a hidden control ${JSON.stringify(name)} that the manifest lacks`, async (t) => {
      assert.equal(await visit(t, Buffer.from(form(hidden(name, '1')), 'latin1'), form('')), undefined);
    });
  }

  for (const [before, after] of [
    ...[';csrf_token=x', '&form.key=x', '&form%20key=x', '&form+key=x', '&form[key=x', '&form%5Bkey=x'],
    ...['&user[_token]=x', '&token[]=x', '&_token[]=x', '&csrf_token%00=x', '&csrf_token%2500=x', '&%C1%9Ftoken=x'],
    ...['&csrf_token=x;delete=1', '&_token=x;b', '&;_token=x', '&token=x', '&lock_version=7', '&_token=x&_token=y'],
    ...['&_token=x&sectok=y', '&__VIEWSTATE=x'],
  ]
    .map((added) => ['/sent?a=1', `/sent?a=1${added}`])
    .concat([
      ['/sent?to=%E4', '/sent?to=%F6'],
      ['/sent?%E4=1', '/sent?%F6=1'],
      ['/sent?sectok=x', '/sent?sectok=x;to=mallory'],
      ['/sent?sectok=x', '/sent?sectok=x&sectok=y'],
      ['/sent?token=x', '/sent?token=x&token=y'],
      ['/sent?user[_token]=x', '/sent?user.[_token]=x'],
    ])) {
    it(`sends nothing if the URL of the form is ${after} instead of ${before}`, async (t) => {
      assert.equal(await visit(t, form('', after), form('', before)), undefined);
    });
  }

  it('sends no token in the URL of a form if the manifest has it in a control, or the other way around', async (t) => {
    const control = form(hidden('token', '1'));
    assert.equal(await visit(t, form(hidden('token', '1'), '/sent?token=2'), control), undefined);
    const parameter = form('', '/sent?token=1');
    assert.equal(await visit(t, form(hidden('token', '2'), '/sent?token=1'), parameter), undefined);
  });

  it('sends an added parameter of the URL of a form if the configuration names it as fresh', async (t) => {
    const request = await visit(t, form('', '/sent?a=1&at=2'), form('', '/sent?a=1'), { fresh: ['at'] });
    assert.equal(request?.url, '/sent?a=1&at=2');
  });
});
