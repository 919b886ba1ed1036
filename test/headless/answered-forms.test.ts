import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'vitest';
import { createPageReader } from '../../gateway/src/node/index.js';
import { inlineReader, type PageReader } from '../../src/headless/index.js';
import { call, failureOf, pageOf } from '../support/gateway/calls.js';
import { openSite, type Recorded } from '../support/gateway/recording.js';

const token = '<input type=hidden name=csrf_token value=d41d8cd98f00b204>';
const page = (content = '', controls = `${token}<input name=q><button>Save</button>`): string =>
  `<main><h1>Item</h1>${content}${pageOf('method=post action=/page', controls)}</main>`;

type Respond = (request: Recorded, response: ServerResponse) => void;

const html = (response: ServerResponse, content: string, headers: Readonly<Record<string, string>> = {}): void =>
  void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(content);

/** Calls the tool of a site. `respond` answers all requests except the first GET, which returns the page of the form. */
async function visit(t: TestContext, respond: Respond, before = page(), pageReader: PageReader = inlineReader) {
  let isFirst = true;
  const site = await openSite((request, response) => {
    const isPage = isFirst && request.method === 'GET';
    isFirst = false;
    if (isPage) html(response, before);
    else respond(request, response);
  });
  t.onTestFinished(site.close);
  const answer = call({ html: before, pageUrl: `${site.origin}/page`, input: { q: 'x' }, pageReader });
  answer.catch(() => undefined);
  return { site, answer };
}

describe('submitForm, for a site that returns the form', () => {
  it('fails if the page shows nothing new', async (t) => {
    const { answer, site } = await visit(t, (_, response) =>
      html(response, page('', `${token}<input name=q value=x><input name=file2>`)),
    );
    const { message } = await failureOf(answer, 'form-returned');
    assert.match(message, /^The site returned the form again, .* The page says: "Item x"\./);
    assert.deepEqual(
      site.requests.map(({ method }) => method),
      ['GET', 'POST'],
    );
  });

  for (const [what, content] of [
    ['a message', '<p role=status>Saved.</p>'],
    ['an error', '<p class=error role=alert>Too short.</p>'],
    ['other text', '<p>12 euros</p>'],
  ] as const)
    it(`succeeds if the page shows ${what}`, async (t) => {
      const { answer } = await visit(t, (_, response) => html(response, page(content)));
      assert.equal((await answer).status, 200);
    });

  const threads = createPageReader({ minBytes: 0 });
  const createRequest: PageReader['createRequest'] = (task, signal) => threads.createRequest(task, signal);
  const readAnswer: PageReader['readAnswer'] = (task, signal) => threads.readAnswer(task, signal);
  for (const [what, reader, filler] of [
    ['whose page is read in another thread', { ...inlineReader, createRequest }, ''],
    ['whose answer is read in another thread', { ...inlineReader, readAnswer }, ''],
    ['whose page is long', inlineReader, '<p>Long.</p>'.repeat(10_000)],
  ] as const)
    it(`compares the previous page with the answer of a call ${what}`, async (t) => {
      const standing = `<p role=status>Saved before.</p>${filler}`;
      const same = await visit(t, (_, response) => html(response, page(standing)), page(standing), reader);
      await failureOf(same.answer, 'form-returned');
      const added = `<p role=status>Saved now.</p>${standing}`;
      const { answer } = await visit(t, (_, response) => html(response, page(added)), page(standing), reader);
      assert.deepEqual((await answer).messages, ['Saved now.']);
    });

  it('succeeds after a redirect', async (t) => {
    const { answer } = await visit(t, ({ method }, response) =>
      method === 'POST' ? response.writeHead(303, { location: '/page' }).end() : html(response, page()),
    );
    assert.equal((await answer).status, 200);
  });

  it('succeeds if the previous page is unknown', async (t) => {
    const plain = page('', '<input name=q><button>Save</button>');
    const { answer } = await visit(t, (_, response) => html(response, plain), plain);
    assert.equal((await answer).text, 'Item x');
  });
});

describe('submitForm, for an answer with a refresh', () => {
  for (const [what, content, header] of [
    ['a meta element', '<meta http-equiv=Refresh content="0; URL=/done">Please wait', undefined],
    ['a meta element with quotes', `<meta http-equiv="refresh" content="0;url='/done'">`, undefined],
    ['a header', 'Please wait', '0;url=/done'],
  ] as const)
    it(`follows the refresh in ${what}`, async (t) => {
      const { answer, site } = await visit(t, ({ url }, response) =>
        url === '/done'
          ? html(response, 'Done')
          : html(response, content, header === undefined ? {} : { refresh: header }),
      );
      const { text, url } = await answer;
      assert.deepEqual([text, new URL(url).pathname], ['Done', '/done']);
      const [, , followed] = site.requests;
      assert.deepEqual([followed?.method, followed?.body], ['GET', '']);
      assert.equal(followed?.headers.referer, `${site.origin}/page`);
    });

  for (const [what, content] of [
    ['to another origin', '<meta http-equiv=refresh content="0;url=https://other.example/">Please wait'],
    ['after a minute', '<meta http-equiv=refresh content="60;url=/done">Please wait'],
    ['in a comment', '<!-- <meta http-equiv=refresh content="0;url=/done"> -->Please wait'],
    ['to a script', '<meta http-equiv=refresh content="0;url=javascript:alert(1)">Please wait'],
    ['without a time', '<meta http-equiv=refresh content="url=/done">Please wait'],
  ] as const)
    it(`returns the page of a refresh ${what}`, async (t) => {
      const { answer, site } = await visit(t, (_, response) => html(response, content));
      assert.equal((await answer).text, 'Please wait');
      assert.equal(site.requests.length, 2);
    });

  it('does not follow a refresh in the body, where visitors write', async (t) => {
    const { answer, site } = await visit(t, (_, response) =>
      html(response, '<p>Saved</p><div><meta http-equiv=refresh content="0;url=/items/7/delete">Hello</div>'),
    );
    assert.equal((await answer).status, 200);
    assert.equal(site.requests.length, 2);
  });

  it('reads a refresh in time that grows linearly with its length', async (t) => {
    const { answer } = await visit(t, (_, response) =>
      html(response, `<meta http-equiv=refresh content="${'1'.repeat(90_000)}x">Please wait`),
    );
    const before = performance.now();
    assert.equal((await answer).text, 'Please wait');
    assert.ok(performance.now() - before < 5_000);
  });

  it('reports after a failed refresh that the site may have processed the submission', async (t) => {
    const { answer } = await visit(t, ({ method }, response) =>
      method === 'POST' ? html(response, '', { refresh: '0;url=/done' }) : response.destroy(),
    );
    const error = await answer.catch((reason: unknown) => reason as Error);
    assert.match((error as Error).message, /The site may have processed the submission\./);
  });

  it('ends a loop of refreshes, and sends the submission once', async (t) => {
    const { answer, site } = await visit(t, (_, response) =>
      html(response, '<meta http-equiv=refresh content=0>Please wait'),
    );
    assert.equal((await answer).text, 'Please wait');
    assert.equal(site.requests.filter(({ method }) => method === 'POST').length, 1);
    assert.equal(site.requests.length, 7);
  });
});

describe('submitForm, for an answer without Content-Type', () => {
  for (const [what, content, expected] of [
    ['HTML', '\n<!DOCTYPE html><p>Saved <b>now</b>', 'Saved now'],
    ['a fragment', '<div>Saved</div>', 'Saved'],
    ['text', 'Saved <b>now</b>', 'Saved <b>now</b>'],
    ['text with a tag of another name', '<bold>Saved', '<bold>Saved'],
    ['bytes', '\u0000\u0001', undefined],
  ] as const)
    it(`reads ${what} as a browser does`, async (t) => {
      const { answer } = await visit(t, (_, response) => void response.writeHead(200).end(content));
      assert.equal((await answer).text, expected);
    });
});
