import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'vitest';
import { createPageReader, type PageReaderOptions } from '../../../../gateway/src/node/index.js';
import { ReadError } from '../../../../src/headless/page/page-reader.js';
import { builtPath, endWithTest } from '../../../support/processes.js';
import { call, failureOf, pageOf } from '../../../support/gateway/calls.js';
import { openSite, type Site } from '../../../support/gateway/recording.js';

const html = pageOf('method=post action=/sent', '<input type=hidden name=csrf value=old><input name=q required>');
const current = html.replace('value=old', 'value=new');
const filler = '<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.</p>'.repeat(4_000);

const pages: Readonly<Record<string, string>> = {
  '/large': current + filler,
  '/drift': html.replace('/sent', '/else') + filler,
  '/login': `<input type=password>${filler}`,
  '/heavy': current + '<p>x</p>'.repeat(150_000),
  '/small': current,
};

async function openPages(t: TestContext): Promise<Site> {
  const site = await openSite(({ url, body }, response) => {
    response.setHeader('content-type', url === '/sent' && body.includes('json') ? 'application/json' : 'text/html');
    if (url !== '/sent') response.end(pages[url]);
    else response.end(body.includes('json') ? `{"a":[${'1,'.repeat(200_000)}1]}` : `<main>${body}${filler}</main>`);
  });
  t.onTestFinished(site.close);
  return site;
}

function openReader(t: TestContext, options?: PageReaderOptions): ReturnType<typeof createPageReader> {
  const reader = createPageReader(options);
  t.onTestFinished(() => reader.close());
  return reader;
}

describe('createPageReader', () => {
  it('returns the same answers and failures as this thread', async (t) => {
    const site = await openPages(t);
    const pageReader = openReader(t, { threads: 1 });
    const outcomeOf = (promise: Promise<object>): Promise<object> =>
      promise.catch(({ code, message, url, parameters }: Record<string, unknown>) => ({
        code,
        message,
        url,
        parameters,
      }));
    for (const [path, q] of [
      ['/large', 'x'],
      ['/large', 'json'],
      ['/drift', 'x'],
      ['/login', 'x'],
      ['/small', 'x'],
    ] as const) {
      const options = { html, pageUrl: site.origin + path, input: { q } };
      const [here, there] = [await outcomeOf(call(options)), await outcomeOf(call({ ...options, pageReader }))];
      assert.deepEqual(there, here);
    }
    assert.ok(site.requests.some(({ body }) => body === 'csrf=new&q=x'));
  });

  it('fails only the call whose page exhausts the memory of its thread', async (t) => {
    const site = await openPages(t);
    const pageReader = openReader(t, { threads: 1, megabytes: 45 });
    const options = { html, input: { q: 'x' }, pageReader };
    const large = [1, 2].map(() =>
      failureOf(call({ ...options, pageUrl: `${site.origin}/heavy` }), 'page-unavailable'),
    );
    const small = call({ ...options, pageUrl: `${site.origin}/small`, input: { q: 'json' } });
    for (const { message } of await Promise.all(large))
      assert.match(message, /needs more memory to be read than a thread has\.$/);
    assert.equal((await small).status, 200);
    assert.deepEqual(
      site.requests.filter(({ method }) => method === 'POST').map(({ body }) => body),
      ['csrf=new&q=json'],
    );
  });

  it('ends the thread of a call that is aborted, and continues with the waiting calls', async (t) => {
    const site = await openPages(t);
    const reader = openReader(t, { threads: 1 });
    const response = { status: 200, url: `${site.origin}/`, contentType: 'text/html', bytes: Buffer.from(filler) };
    const task = { response, sent: { values: [], headers: {}, cookies: new Set<string>() } };
    const [first, second] = [new AbortController(), new AbortController()];
    const ended = reader.readAnswer(task, first.signal);
    const waiting = reader.readAnswer(task, second.signal);
    first.abort();
    await assert.rejects(ended, (error) => error instanceof ReadError && error.reason === 'time');
    assert.equal((await waiting).text?.length, 50_000);
    second.abort(); // does not end the thread, because its task is complete
    await assert.rejects(reader.readAnswer(task, AbortSignal.abort()), ReadError);
    assert.equal((await reader.readAnswer(task, new AbortController().signal)).text?.length, 50_000);
  });

  it('stops reading a page that takes longer than the call may', async (t) => {
    const site = await openPages(t);
    const controller = new AbortController();
    const reader = openReader(t, { threads: 1 });
    const pageReader = {
      ...reader,
      createRequest: (...[task]: Parameters<typeof reader.createRequest>) =>
        reader.createRequest(task, controller.signal),
    };
    const answer = call({ html, pageUrl: `${site.origin}/large`, input: { q: 'x' }, pageReader });
    controller.abort();
    const { message } = await failureOf(answer, 'page-unavailable');
    assert.match(message, /\/large took too long to read\.$/);
    assert.equal(site.requests.length, 1);
  });

  it('does not keep a process alive', async (t) => {
    const site = await openPages(t);
    const child = spawn(process.execPath, [builtPath('scripts/page-reader'), html, `${site.origin}/large`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    endWithTest(child);
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    assert.equal(child.exitCode, 0);
    assert.match(output, /^csrf=new&q=x/);
  });
});
