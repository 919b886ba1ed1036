import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ControlDescription, FormDescription } from '../../src/compiler/index.js';
import { hideSecrets } from '../../gateway/src/secrets/hide-secrets.js';
import type { ToolAnswer } from '../../src/webtool-client/index.js';
import { call, pageOf } from './calls.js';
import { openSite, type Recorded } from './recording.js';

const password = `p@ss w/rd+"é&<1`;
const token = 'token+of/the page==';
const card = '4111111111111111';
const cookie = 'cookie-of-the-session';

interface Sent {
  readonly sensitive?: readonly string[];
  readonly hidden?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

const plain = { element: 'input', attributes: {}, words: [], groups: [] } as const;

const emptyForm: FormDescription = {
  tool: { name: 't', description: 't', title: null, autosubmit: false },
  ...{ method: 'post', action: null, enctype: 'text/plain', groups: [], controls: [] },
};

/** What is left of an answer after a call that has sent secrets. */
function shownOf(
  answer: Partial<ToolAnswer>,
  {
    sensitive = [password, card, 'cvv'],
    hidden = [token],
    headers = { 'x-key': 'key-of-operator' },
    cookies = [cookie],
  }: Sent = {},
): ToolAnswer {
  const values = [...sensitive, ...hidden];
  const controls = values.map((_, index): ControlDescription => {
    const isSensitive = index < sensitive.length;
    const type = isSensitive ? 'password' : 'hidden';
    return { ...plain, type, name: `c${index}`, ...(isSensitive && { sensitive: true }) };
  });
  const filled = {
    form: { ...emptyForm, controls },
    states: values.map((value) => ({ holds: 'value', value }) as const),
    set: new Set<number>(),
    submitter: undefined,
  };
  const whole = { status: 200, url: 'https://site.example/sent', contentType: 'text/plain', ...answer };
  return hideSecrets(whole, { filled, headers, cookies });
}

const textAfter = (text: string, sent?: Sent): string | undefined => shownOf({ text }, sent).text;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

describe('a text of an answer', () => {
  const secrets: readonly (readonly [string, string])[] = [
    ['as they are', password],
    ['encoded for URLs', encodeURIComponent(password)],
    ['encoded for URLs in lower case', encodeURIComponent(password).toLowerCase()],
    ['encoded for URLs as little as URLs need it', new URL(`/${password}`, 'https://a').pathname.slice(1)],
    ['encoded for URLs twice', encodeURIComponent(encodeURIComponent(password))],
    ['encoded as forms encode', new URLSearchParams({ '': password }).toString().slice(1)],
    ['escaped for HTML', escaped(password)],
    ['escaped for HTML by numbers', password.replace(/\W/g, (each) => `&#x${each.charCodeAt(0).toString(16)};`)],
    ['escaped for JSON', JSON.stringify(password).slice(1, -1)],
    ['escaped for JSON in JSON', JSON.stringify(JSON.stringify(password)).slice(3, -3)],
    ['escaped for JSON in ASCII', password.replace(/[^ -~]|["&</]/g, (each) => unicodeEscape(each))],
    ['in base64', base64(password)],
    ['in base64 for URLs', Buffer.from(password).toString('base64url')],
    ['that are tokens of the page', escaped(token)],
    ['that are tokens of the page, encoded for URLs', encodeURIComponent(token)],
    ['that are cookies', cookie],
    ['that are in headers', 'key-of-operator'],
    ['that are in headers, in base64', base64('key-of-operator')],
    ['that are digits', card],
    ['that are digits in groups', '4111 1111 1111 1111'],
    ['that are digits in groups with dashes', '4111-1111-1111-1111'],
    ['that are digits in groups, encoded', '4111%201111+1111&nbsp;1111'],
  ];
  for (const [name, text] of secrets) {
    it(`has no secrets ${name}`, () => assert.equal(textAfter(`a=${text};${text}, b`), 'a=[hidden];[hidden], b'));
  }

  it('keeps what is no secret, escapes and all', () => {
    const text = 'cvv 50% off + 1 &amp; \\n %zz %ff &#x999999; 2026-11-22 4111 1111 1111 p@ss';
    assert.equal(textAfter(text), text);
  });

  it('has no part of a secret that another one is a part of', () => {
    const sensitive = ['pass', 'pass word', 'word-end'];
    assert.equal(textAfter('pass%20word-end, passpass', { sensitive }), '[hidden], [hidden][hidden]');
    assert.equal(textAfter('pass word pass%20word', { sensitive }), '[hidden] [hidden]');
  });

  it('has no digits of a secret that was given in groups', () => {
    assert.equal(textAfter(`${card} 4111-1111 1111-1111`, { sensitive: ['4111 1111 1111 1111'] }), '[hidden] [hidden]');
  });

  it('has no secret with its white space as a page shows it, or as a form sends it', () => {
    const sensitive = [' pass\n word '];
    assert.equal(textAfter('<pass word>', { sensitive }), '<[hidden]>');
    assert.equal(textAfter('<+pass%0D%0A+word+>', { sensitive }), '<[hidden]>');
  });

  it('has no cookie that the site decodes', () => {
    assert.equal(textAfter('s:signed/session-id', { cookies: ['s%3Asigned%2Fsession-id'] }), '[hidden]');
    assert.equal(textAfter('%zz-session-id', { cookies: ['%zz-session-id'] }), '[hidden]');
  });

  it('keeps what is too short to be told from words', () => {
    const sent = { sensitive: ['abc'], hidden: ['short-token'], cookies: ['dark'], headers: { a: 'x' } };
    assert.equal(textAfter('abc short-token dark x', sent), 'abc short-token dark x');
  });

  it('is cut only after its secrets are hidden', () => {
    const filler = 'x'.repeat(50_000);
    const encoded = [password, encodeURIComponent(password), escaped(password), JSON.stringify(password).slice(1, -1)];
    for (const secret of [...encoded, card, '4111 1111 1111 1111']) {
      for (let length = 1; length < secret.length; length++) {
        const start = filler.slice(length);
        assert.equal(textAfter(start + secret), `${start}[hidden]`.slice(0, 50_000), secret.slice(0, length));
      }
    }
  });

  it('is no longer for its marks', () => {
    const shown = textAfter('pass'.repeat(12_500), { sensitive: ['pass'] });
    assert.equal(shown, '[hidden]'.repeat(6250));
  });
});

describe('JSON of an answer', () => {
  it('has no secrets in its texts, names and numbers', () => {
    const json = { [encodeURIComponent(password)]: [Number(card), { a: card, b: 411, c: null, d: true, e: 4111 }] };
    const shown = { '[hidden]': ['[hidden]', { a: '[hidden]', b: 411, c: null, d: true, e: 4111 }] };
    assert.deepEqual(shownOf({ json }).json, shown);
    assert.deepEqual(shownOf({ jsonLd: [json] }).jsonLd, [shown]);
  });

  it('has no number that was a secret longer than numbers are exact', () => {
    const sensitive = ['6212345678901234567'];
    assert.deepEqual(shownOf({ json: JSON.parse('[6212345678901234567]') as number[] }, { sensitive }).json, [
      '[hidden]',
    ]);
  });

  it('keeps numbers as short as no secret is', () => {
    assert.deepEqual(shownOf({ json: [7, 1234, 1234.5] }, { sensitive: ['0007', '1234'] }).json, [
      7,
      '[hidden]',
      1234.5,
    ]);
  });
});

describe('what tells where an answer comes from', () => {
  it('has no secrets', () => {
    const url = `https://site.example/done/${encodeURIComponent(password)}?m=${encodeURIComponent(token)}`;
    const contentType = `text/plain; x=${encodeURIComponent(password)}`;
    const shown = shownOf({ url, contentType });
    assert.equal(shown.url, 'https://site.example/done/[hidden]?m=[hidden]');
    assert.equal(shown.contentType, 'text/plain; x=[hidden]');
  });

  it('keeps its origin and its status', () => {
    const { url, status } = shownOf({ url: 'https://site.example/site' }, { sensitive: ['site', '0200'] });
    assert.deepEqual([url, status], ['https://site.example/[hidden]', 200]);
  });
});

describe('hiding', () => {
  it('takes no time for many tokens and long answers', () => {
    const hidden = Array.from({ length: 10_000 }, (_, index) => `token${1e9 + index}`);
    const json = ['token1000token100', '%41+&amp;\\u0041 1 ', 'token1000000001'].map((text) =>
      text.repeat(Math.ceil(4e6 / text.length)),
    );
    const start = performance.now();
    const shown = shownOf({ json }, { hidden }).json as readonly string[];
    const milliseconds = performance.now() - start;
    assert.equal(shown[0], json[0]);
    assert.match(shown[2] as string, /^(?:\[hidden\])+$/);
    assert.ok(milliseconds < 8000, `${milliseconds} ms`);
  });
});

describe('an answer to a form', () => {
  const controls =
    '<input type=password name=p><select name=year autocomplete=cc-exp-year><option>2030-page<option>2031-secret</select>';
  const config = { values: { p: 'password-x', year: '2031-secret' } };

  /** The answer of a site that is told to the agent. */
  async function answerOf(
    t: TestContext,
    answer: (request: Recorded) => { readonly headers?: object; readonly status?: number; readonly body?: string },
  ): Promise<ToolAnswer> {
    const html = pageOf('method=post action=/sent', controls);
    const cookies = ['sid=first-of-the-site', 'acc=account-of-the-site; Path=/sent'];
    const site = await openSite((request, response) => {
      const { status = 200, headers = {}, body = '' } = request.url === '/page' ? { body: html } : answer(request);
      const type = request.url === '/page' ? { 'content-type': 'text/html', 'set-cookie': cookies } : {};
      response.writeHead(status, { 'content-type': 'text/plain', ...type, ...headers }).end(body);
    });
    t.after(site.close);
    return await call({ html, pageUrl: `${site.origin}/page`, config });
  }

  for (const [contentType, start, end] of [
    ['text/plain', '', ''],
    ['application/json', '{', ''],
    ['text/html', '<main>', '</main>'],
  ] as const) {
    it(`has no part of a secret where its text is cut: ${contentType}`, async (t) => {
      const { text = '' } = await answerOf(t, () => ({
        headers: { 'content-type': contentType },
        body: `${start}${'x'.repeat(49_995)}password-x${end}`,
      }));
      assert.match(text, /^\{?x+\[hi/);
      assert.equal(text.length, 50_000);
    });
  }

  it('has no option that the operator chose, and those that the page has', async (t) => {
    const { text } = await answerOf(t, ({ body }) => ({ body: `${body} 2030-page` }));
    assert.equal(text, 'p=[hidden]&year=[hidden] 2030-page');
  });

  it('has no cookie that the answer itself changes', async (t) => {
    const { text } = await answerOf(t, ({ headers }) => ({
      headers: { 'set-cookie': 'sid=second-of-the-site; Path=/' },
      body: `${headers.cookie} second-of-the-site`,
    }));
    assert.equal(text, 'acc=[hidden]; sid=[hidden] [hidden]');
  });

  it('has no cookie of another path that a redirect left', async (t) => {
    let cookies: string | undefined;
    const { url, text } = await answerOf(t, ({ method, headers }) => {
      if (method !== 'POST') return { body: String(cookies) };
      cookies = headers.cookie;
      return { status: 303, headers: { location: '/done?m=password%2Dx' } };
    });
    assert.match(url, /\/done\?m=\[hidden\]$/);
    assert.equal(text, 'acc=[hidden]; sid=[hidden]');
  });

  it('has no cookie that the site sets and the session refuses', async (t) => {
    const { text } = await answerOf(t, () => ({
      headers: { 'set-cookie': 'a=refused-by-the-jar; Domain=other.example' },
      body: 'refused-by-the-jar',
    }));
    assert.equal(text, '[hidden]');
  });
});
