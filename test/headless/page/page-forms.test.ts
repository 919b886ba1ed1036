import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { call, failureOf, pageOf } from '../../support/gateway/calls.js';
import { openSite, type Site } from '../../support/gateway/recording.js';

const html = pageOf('method=post action=/sent', '<input type=hidden name=csrf value=old><input name=q required>');
const current = html.replace('value=old', 'value=new');
const injected = (name: string, controls: string): string =>
  `<form ${name} method=post action=/sent><input name=q>${controls}</form>`;
const hidden = '<input type=hidden name=role value=admin>';

/** Submits a form whose page has changed since it was compiled. */
async function visit(t: TestContext, page: string, compiled = html, status = 200) {
  const site: Site = await openSite(({ url }, response) =>
    url?.startsWith('/sent')
      ? response.end('received')
      : response.writeHead(status, { 'content-type': 'text/html' }).end(page),
  );
  t.onTestFinished(site.close);
  const answer = call({ html: compiled, pageUrl: `${site.origin}/page`, input: { q: 'x' } });
  answer.catch(() => undefined);
  return { site, answer };
}

describe('submitForm, for a page with several forms', () => {
  for (const [title, content] of [
    ['another form with the name of the tool', injected('toolname=t', hidden)],
    ['another form with data-toolname', injected('data-toolname=t', hidden)],
    [
      'a <webmcp-tool> of the same name',
      `${injected('id=a', hidden)}<webmcp-tool name=t for=a description=d></webmcp-tool>`,
    ],
    ['a form of the same name with another action', '<form toolname=t action=javascript:1><input name=q></form>'],
    [
      'a form of the same name in an element with data-webmcp-ignore',
      `<div data-webmcp-ignore>${html.replace('value=old', 'value=visitor')}<input form=f name=q value=visitor></div>`,
    ],
    ['a form of the same name in a template', `<template>${injected('toolname=t', hidden)}</template>`],
  ] as const) {
    it(`sends the form of the manifest if the page has ${title} before it`, async (t) => {
      const { site, answer } = await visit(t, content + current);
      assert.equal((await answer).status, 200);
      assert.equal(site.requests.at(-1)?.body, 'csrf=new&q=x');
    });
  }

  it('sends the first of equal forms', async (t) => {
    const added = current.replace('</form>', '<input type=hidden name=nonce value=1></form>');
    const { site, answer } = await visit(t, added + added.replace('value=1', 'value=2'));
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.body, 'csrf=new&q=x&nonce=1');
  });

  it('sends nothing if different forms have the name, and none is that of the manifest', async (t) => {
    const added = current.replace('</form>', '<input type=hidden name=nonce value=1></form>');
    const { site, answer } = await visit(t, injected('toolname=t', hidden) + added);
    const { message } = await failureOf(answer, 'page-drift');
    assert.match(message, /\/page has different forms for the tool "t"\./);
    assert.equal(site.requests.length, 1);
  });

  it('reports drift if the form is missing and another form has no URL over HTTP', async (t) => {
    const { answer } = await visit(t, '<form method=dialog><input name=q></form>');
    assert.match((await failureOf(answer, 'page-drift')).message, /has no form like the tool "t"/);
  });

  const withHidden = (count: number): string =>
    current.replace('</form>', `${'<input type=hidden name=a value=b>'.repeat(count)}</form>`);

  it('sends a form with 15,000 hidden inputs of one name before the deadline', async (t) => {
    const { site, answer } = await visit(t, withHidden(15_000));
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.body.length, 'csrf=new&q=x'.length + 15_000 * '&a=b'.length);
  });

  it('sends nothing if the form of the page has too many controls', async (t) => {
    const { site, answer } = await visit(t, withHidden(100_000));
    assert.match((await failureOf(answer, 'page-unavailable')).message, /it has too many controls or options\./);
    assert.equal(site.requests.length, 1);
  });

  it('sends nothing if forms with the controls of the manifest submit different values', async (t) => {
    const html = pageOf('method=post action=/sent', '<input type=hidden name=id value=1><input name=q required>');
    for (const foreign of [
      html.replace('value=1', 'value=2'),
      html.replace('name=q', 'name=q value=x'),
      html.replace('action=/sent', 'action="/sent?id=2"'),
    ]) {
      const { site, answer } = await visit(t, foreign + html, html);
      assert.match((await failureOf(answer, 'page-drift')).message, /has different forms for the tool "t"\./);
      assert.equal(site.requests.length, 1);
    }
    const same = await visit(t, html + html, html);
    assert.equal((await same.answer).status, 200);
  });

  it('sends nothing if the action has a further word for a parameter', async (t) => {
    const page = current.replace('action=/sent', 'action="/sent?do=edit"');
    const { site, answer } = await visit(t, page.replace('do=edit', 'do=edit&do=trash'), page);
    await failureOf(answer, 'page-drift');
    assert.equal(site.requests.length, 1);
  });

  it('hides the tokens of the page in the texts that an error quotes', async (t) => {
    const token = 'tk-9f8e7d6c5b4a39281706';
    const hidden = `<input type=hidden name=other value=${token}>`;
    const meta = '<meta name=csrf-token content=Zm9vYmFy42secret>';
    for (const [status, content] of [
      [200, `${meta}<form action=/else>${hidden}</form><p>Token ${token} or Zm9vYmFy42secret`],
      [404, `${hidden}<p>No page for ${token.toUpperCase()}`],
      [500, `<table>${hidden}<p>${token}`],
    ] as const) {
      const { answer } = await visit(t, content, html, status);
      const error = await answer.then(
        () => assert.fail('it was sent'),
        (reason: Error) => reason,
      );
      assert.match(error.message, /The page says: .*\[hidden\]/);
      assert.doesNotMatch(error.message, /9f8e7d6c|Zm9vYmFy42/i);
    }
  });
});
