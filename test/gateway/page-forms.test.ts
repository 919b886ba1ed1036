import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { call, failureOf, pageOf } from './calls.js';
import { openSite, type Site } from './recording.js';

const html = pageOf('method=post action=/sent', '<input type=hidden name=csrf value=old><input name=q required>');
const current = html.replace('value=old', 'value=new');
const injected = (name: string, controls: string): string =>
  `<form ${name} method=post action=/sent><input name=q>${controls}</form>`;
const hidden = '<input type=hidden name=role value=admin>';

/** Submits a form whose page has changed since it was compiled. */
async function visit(t: TestContext, page: string) {
  const site: Site = await openSite(({ url }, response) =>
    url === '/sent' ? response.end('received') : response.setHeader('content-type', 'text/html').end(page),
  );
  t.after(site.close);
  const answer = call({ html, pageUrl: `${site.origin}/page`, input: { q: 'x' } });
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

  it('sends a form with 100,000 hidden inputs of one name before the deadline', async (t) => {
    const many = '<input type=hidden name=a value=b>'.repeat(100_000);
    const { site, answer } = await visit(t, current.replace('</form>', `${many}</form>`));
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.at(-1)?.body.length, 'csrf=new&q=x'.length + 100_000 * '&a=b'.length);
  });
});
