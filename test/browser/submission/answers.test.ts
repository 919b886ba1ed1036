import { expect } from '@open-wc/testing';
import {
  afterTest,
  call,
  errorCodes,
  live,
  place,
  rejection,
  whereNotNative,
  waitUntil,
} from '../../support/browser/live.js';

/** The request that the test server received. */
interface Echo {
  readonly method: string;
  readonly url: string;
  readonly contentType: string;
  readonly accept: string;
  readonly body: string;
}

interface FetchAnswer {
  readonly status: number;
  readonly url: string;
  readonly json?: unknown;
  readonly jsonLd?: unknown;
  readonly text?: string;
}

const otherOrigin = `http://127.0.0.1:${location.port}`;
const here = (path: string): string => new URL(path, location.href).href;

/** Adds a tool with `data-webmcp-response=fetch`. */
const placeForm = (attributes: string, controls: string): HTMLFormElement =>
  place(
    `<form toolname=t tooldescription=d toolautosubmit data-webmcp-response=fetch ${attributes}>${controls}</form>`,
  );

const answerOf = async (input: object = {}): Promise<FetchAnswer> =>
  JSON.parse((await call(input)) as string) as FetchAnswer;

const echoOf = async (input: object = {}): Promise<Echo> => (await answerOf(input)).json as Echo;

/** Adds a frame as a target of forms, until the test is over. */
function placeFrame(name: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.name = name;
  document.body.append(frame);
  afterTest(() => frame.remove());
  return frame;
}

/** Waits for the page that a form is submitted to. */
const loaded = (frame: HTMLIFrameElement, path: string): Promise<Document> =>
  new Promise((resolve) => {
    frame.addEventListener('load', () => {
      const page = frame.contentDocument;
      if (page?.URL.includes(path)) resolve(page);
    });
  });

let frames = 0;

/** The request that the browser sends for a form. */
async function navigated(form: HTMLFormElement): Promise<Echo> {
  const name = `navigated${frames++}`;
  const page = loaded(placeFrame(name), '/echo');
  form.target = name;
  form.requestSubmit(form.querySelector('button'));
  const echo = JSON.parse((await page).body.textContent) as Echo;
  form.removeAttribute('target');
  return echo;
}

/** The boundary of a multipart body is random. */
function withoutBoundary({ method, url, contentType, body }: Echo) {
  const boundary = /boundary=(.*)/.exec(contentType)?.[1] ?? ' none ';
  const same = (text: string): string => text.replaceAll(boundary, 'BOUNDARY');
  return { method, url, contentType: same(contentType), body: same(body) };
}

const listeners: Record<string, (event: SubmitEvent) => void> = {
  'responds itself': (event) => event.respondWith('mine'),
  'does not respond': () => undefined,
};

whereNotNative('a form with data-webmcp-response="fetch"', () => {
  it('sends the entries of a GET form in the query, which replaces the query of the action', async () => {
    live();
    placeForm('action="/echo?old=1#part"', '<input name=a><input name=b type=checkbox>');
    const { method, url, body, accept } = await echoOf({ a: 'x y&é', b: true });
    expect({ method, url, body }).to.deep.equal({ method: 'GET', url: '/echo?a=x+y%26%C3%A9&b=on', body: '' });
    expect(accept.startsWith('text/html')).to.equal(true);
  });

  it('sends a POST as application/x-www-form-urlencoded', async () => {
    live();
    placeForm('action=/echo?kept=1 method=post', '<input name=a><input name=b value=2 hidden>');
    const { method, url, contentType, body } = await echoOf({ a: 'x y' });
    expect({ method, url, body }).to.deep.equal({ method: 'POST', url: '/echo?kept=1', body: 'a=x+y&b=2' });
    expect(contentType).to.match(/^application\/x-www-form-urlencoded/);
  });

  it('sends a file as multipart/form-data', async () => {
    live({ profile: 'precise' });
    placeForm('action=/echo method=post enctype=multipart/form-data', '<input name=f type=file><input name=a>');
    const { contentType, body } = await echoOf({
      f: { name: 'a.txt', mediaType: 'text/plain', content: btoa('the content') },
      a: 'x',
    });
    expect(contentType).to.match(/^multipart\/form-data; ?boundary=/);
    expect(body).to.match(/name="f"; filename="a.txt"\r\nContent-Type: text\/plain\r\n\r\nthe content\r\n/);
    expect(body).to.match(/name="a"\r\n\r\nx\r\n/);
  });

  it('sends only the names of files if the enctype is not multipart/form-data', async () => {
    live({ profile: 'precise' });
    placeForm('action=/echo method=post', '<input name=f type=file>');
    const file = { name: 'a.txt', mediaType: 'text/plain', content: btoa('the content') };
    expect((await echoOf({ f: file })).body).to.equal('f=a.txt');
  });

  it('sends the entries as text/plain', async () => {
    live();
    placeForm('action=/echo method=post enctype=text/plain', '<input name=a><textarea name=b></textarea>');
    const { contentType, body } = await echoOf({ a: 'x=y', b: '1\n2' });
    expect({ contentType, body }).to.deep.equal({ contentType: 'text/plain', body: 'a=x=y\r\nb=1\r\n2\r\n' });
  });

  for (const [what, attributes, input] of [
    ['a GET', '', { a: 'x', b: '1\n2' }],
    ['a GET without entries', '', undefined],
    ['a POST', 'method=post', { a: 'é', b: '1\r2\r\n3\n' }],
    ['a POST of an unknown enctype', 'method=POST enctype=other', { a: '~*-._!()', b: '' }],
    ['a POST as text', 'method=post enctype=TEXT/PLAIN', { a: 'é', b: '1\n2' }],
    ['a POST in multipart', 'method=post enctype=multipart/form-data', { a: '"é"', b: '1\n2' }],
  ] as [string, string, object | undefined][]) {
    it(`sends the same request as the browser: ${what}`, async () => {
      live();
      const form = placeForm(
        `action=/echo ${attributes}`,
        input
          ? '<input name=a><textarea name=b></textarea><input type=hidden name=_charset_><button name=go value="1">Go</button>'
          : '<input><button>Go</button>',
      );
      const fetched = await echoOf(input);
      expect(withoutBoundary(fetched)).to.deep.equal(withoutBoundary(await navigated(form)));
    });
  }

  it('uses the value, action and method of the button', async () => {
    live({ profile: 'precise' });
    placeForm(
      'action=/echo/404',
      `<input name=a><button name=act value=look>Look</button>
       <button name=act value=buy formaction=/echo formmethod=post formenctype=text/plain>Buy</button>`,
    );
    const { method, contentType, body } = await echoOf({ a: 'x', act: 'buy' });
    expect({ method, contentType, body }).to.deep.equal({
      ...{ method: 'POST', contentType: 'text/plain', body: 'a=x\r\nact=buy\r\n' },
    });
    expect((await answerOf({ a: 'x', act: 'look' })).status).to.equal(404);
  });

  it('is sent to the URL of the page if it has no action', async () => {
    live();
    placeForm('', '<input name=a>');
    const { url } = await answerOf({ a: 'x' });
    expect(url).to.equal(here('?a=x'));
  });

  for (const [what, action, answer] of [
    [
      'HTML as its JSON-LD and the text of its main part',
      '/echo.html',
      { jsonLd: [{ '@type': 'Order', method: 'POST' }], text: 'Thanks a=x' },
    ],
    ['text unchanged', '/echo/text', { text: 'Just text' }],
    ['invalid JSON as text', '/echo/no-json', { text: '{not JSON}' }],
    [
      'a response of status 404',
      '/echo/404',
      {
        status: 404,
        message: 'The page does not exist (status 404). The submission was probably not processed.',
        json: { error: 'not found' },
      },
    ],
    [
      'a page of status 500',
      '/echo/500',
      {
        status: 500,
        message: 'The server failed (status 500). It may have processed the submission: check before calling again.',
        text: 'Out of order',
      },
    ],
  ] as [string, string, object][]) {
    it(`returns ${what}`, async () => {
      live();
      placeForm(`action=${action} method=post`, '<input name=a>');
      expect(await answerOf({ a: 'x' })).to.deep.equal({ status: 200, url: here(action), ...answer });
    });
  }

  it('follows a redirect as a browser does', async () => {
    live();
    placeForm('action=/echo/redirect method=post', '<input name=a>');
    const { status, url, json } = await answerOf({ a: 'x' });
    const { method, body } = json as Echo;
    expect({ status, url, method, body }).to.deep.equal({
      ...{ status: 200, url: here('/echo?redirected'), method: 'GET', body: '' },
    });
  });

  it('rejects if a redirect leads to another origin', async () => {
    live();
    placeForm('action=/echo/elsewhere method=post', '<input name=a>');
    expect(await errorCodes(call({ a: 'x' }))).to.deep.equal([': rejected']);
  });

  for (const [what, attributes] of [
    ['to another origin', `action=${otherOrigin}/echo`],
    ['nowhere', 'action=/echo method=dialog'],
  ] as const) {
    it(`is not sent by fetch if it is submitted ${what}`, async () => {
      live({ autosubmitOrigins: [otherOrigin] });
      const frame = placeFrame('elsewhere');
      const form = placeForm(`${attributes} target=elsewhere`, '<input name=a>');
      let wasDispatched = false;
      form.addEventListener('webmcp-response', () => (wasDispatched = true));
      const page = new Promise((resolve) => frame.addEventListener('load', resolve));
      expect(await call({ a: 'x' })).to.equal(null);
      if (what !== 'nowhere') await page;
      expect(wasDispatched).to.equal(false);
    });
  }

  it('dispatches the response as webmcp-response, which bubbles', async () => {
    live();
    const form = placeForm('action=/echo/text', '<input name=a>');
    let detail: unknown;
    form.parentElement?.addEventListener('webmcp-response', (event) => {
      detail = event.target === form && (event as CustomEvent).detail;
    });
    expect(await answerOf({ a: 'x' })).to.deep.equal(detail);
  });

  for (const [what, listener] of Object.entries(listeners)) {
    for (const target of ['form', 'document', 'window'] as const) {
      it(`is not sent if a listener at the ${target} prevents it and ${what}`, async () => {
        live();
        const form = placeForm('action=/echo', '<input name=a>');
        let wasDispatched = false;
        form.addEventListener('webmcp-response', () => (wasDispatched = true));
        const listen = (event: SubmitEvent): void => {
          event.preventDefault();
          listener(event);
        };
        const at = { form, document, window }[target] as HTMLFormElement;
        at.addEventListener('submit', listen);
        afterTest(() => at.removeEventListener('submit', listen));
        const result = call({ a: 'x' });
        if (what === 'responds itself') expect(await result).to.equal('mine');
        else expect(await errorCodes(result)).to.deep.equal([': not-answered']);
        expect(wasDispatched).to.equal(false);
      });
    }
  }

  it('is sent by fetch even if the page stops the propagation of the event', async () => {
    live();
    placeFrame('stopped');
    const form = placeForm('action=/echo/text target=stopped', '<input name=a>');
    form.addEventListener('submit', (event) => event.stopPropagation());
    expect(await call({ a: 'x' })).to.equal(
      JSON.stringify({ status: 200, url: here('/echo/text?a=x'), text: 'Just text' }),
    );
  });

  it('is sent by fetch in a shadow tree', async () => {
    live();
    const element = place('<form></form>').parentElement as Element;
    element.attachShadow({ mode: 'open' }).innerHTML =
      '<form toolname=t tooldescription toolautosubmit data-webmcp-response=fetch action=/echo/text><input name=a></form>';
    expect((await answerOf({ a: 'x' })).text).to.equal('Just text');
  });

  it('is sent by fetch when the user submits it for an agent, but not without a call', async () => {
    live();
    const frame = placeFrame('user');
    const form = placeForm('action=/echo/text target=user', '<input name=a><button>Go</button>');
    form.removeAttribute('toolautosubmit');
    const button = form.querySelector('button') as HTMLButtonElement;
    const awaitUserEvent = new Promise((resolve) =>
      form.addEventListener('webmcp-await-user', resolve, { once: true }),
    );
    const result = answerOf({ a: 'x' });
    await awaitUserEvent;
    button.click();
    expect((await result).text).to.equal('Just text');
    const page = loaded(frame, '/echo/text');
    button.click();
    expect((await page).body.textContent).to.equal('Just text');
  });

  it('aborts the request with the call', async () => {
    live();
    placeForm('action=/echo/hang', '<input name=a>');
    const a = crypto.randomUUID(); // other pages send such requests too
    const countHanging = async (): Promise<number> =>
      ((await (await fetch(`/echo/hanging?a=${a}`)).json()) as { count: number }).count;
    const controller = new AbortController();
    const result = call({ a }, { signal: controller.signal }).catch((reason: unknown) => reason);
    await waitUntil(async () => (await countHanging()) === 1);
    controller.abort('enough');
    expect(await result).to.equal('enough');
    await waitUntil(async () => (await countHanging()) === 0);
  });

  it('rejects with the reason if the server cannot be reached', async () => {
    live();
    placeForm('action=/echo', '<input name=a>');
    const fetch = window.fetch.bind(window);
    window.fetch = () => Promise.reject(new TypeError('offline'));
    afterTest(() => (window.fetch = fetch));
    const error = await rejection(call({ a: 'x' }));
    expect([error.name, error.errors[0]?.code]).to.deep.equal(['UnknownError', 'rejected']);
    expect(error.message).to.contain('offline');
  });
});

/** Adds a tool that is answered by the next page of a frame. */
const placeForNext = (action = '/echo/next'): HTMLFormElement =>
  place(
    `<form toolname=t tooldescription=d toolautosubmit data-webmcp-response=page method=post action=${action} target=next>
      <input name=a></form>`,
  );

async function open(frame: HTMLIFrameElement, path: string): Promise<void> {
  const page = loaded(frame, path);
  frame.src = path;
  await page;
}

/** Follows a link in a frame. */
function follow(frame: HTMLIFrameElement, path: string): void {
  const page = frame.contentDocument as Document;
  const link = Object.assign(page.createElement('a'), { href: path });
  page.body.append(link);
  link.click();
}

/** Firefox and WebKit may not have the status of a navigation. */
function answerOfPage(text: string | null): object {
  const { status = 200, ...rest } = JSON.parse(text as string) as { readonly status?: number };
  return { status, ...rest };
}

/** The detail of the page's `webmcp-answer`. */
const answerDetail = (frame: HTMLIFrameElement): unknown => Reflect.get(frame.contentWindow as Window, 'said');

whereNotNative('a form with data-webmcp-response="page"', () => {
  const result = { status: 200, url: here('/echo/next'), jsonLd: [{ '@type': 'Order' }], text: 'Thanks a=x' };

  it('is answered by the next page, which dispatches webmcp-answer', async () => {
    live();
    const frame = placeFrame('next');
    placeForNext();
    const answer = await call({ a: 'x' });
    expect(answerOfPage(answer)).to.deep.equal(result);
    expect(answerDetail(frame)).to.deep.equal({ toolName: 't', result: JSON.parse(answer as string) as object });
  });

  it('is answered once, and the next call is answered by the page after it', async () => {
    live();
    const frame = placeFrame('next');
    placeForNext();
    await call({ a: 'first' });
    await open(frame, '/echo/next?again');
    expect(answerDetail(frame)).to.equal(undefined);
    expect(answerOfPage(await call({ a: 'x' }))).to.deep.equal(result);
  });

  it('resolves with null if the next page does not answer in time', async () => {
    live({}, { nextPageTimeoutMs: 50 });
    placeFrame('next');
    placeForNext('/echo');
    expect(await call({ a: 'x' })).to.equal(null);
    expect(sessionStorage.length).to.equal(0);
  });

  it('is answered by the submitting page if it prevents the submission', async () => {
    live();
    const form = placeForNext();
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      event.respondWith('mine');
    });
    expect(await call({ a: 'x' })).to.equal('mine');
  });

  for (const [what, from] of [
    ['is loaded by another page', '/echo.html'],
    ['the same page has opened in another frame', ''],
  ] as const) {
    it(`is not answered by a page that ${what}`, async () => {
      live();
      placeFrame('next');
      const form = placeForNext('/echo/hang');
      const other = placeFrame('other');
      if (from) await open(other, from);
      const answered = call({ a: 'x' });
      await waitUntil(() => sessionStorage.length > 0);
      const page = loaded(other, '/echo/next');
      if (from) follow(other, '/echo/next?other');
      else other.src = '/echo/next?other';
      await page;
      expect(answerDetail(other)).to.equal(undefined);
      form.action = '/echo/next';
      form.submit();
      expect(answerOfPage(await answered)).to.deep.equal(result);
    });
  }
});
