import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import type { ControlDescription, FormDescription } from '../../../src/compiler/index.js';
import { hideSecrets } from '../../../src/headless/secrets/hide-secrets.js';
import { sentSecrets } from '../../../src/headless/secrets/sent-secrets.js';
import type { ToolAnswer } from '../../../src/webtool-client/index.js';
import { call, failureOf, pageOf } from '../../support/gateway/calls.js';
import { openSite, type Recorded } from '../../support/gateway/recording.js';

const password = `p@ss w/rd+"é&<1`;
const token = 'hZq3+tV/8kX0aP7w==';
const card = '4111111111111111';
const cookie = 'b7Qx19ZkPq42LmTd';

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

/** Hides the secrets of a call in an answer. */
function hide(
  answer: Partial<ToolAnswer>,
  {
    sensitive = [password, card, 'cvv'],
    hidden = [token],
    headers = { 'x-key': 'key-of-operator' },
    cookies = [`a=${cookie}`],
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
  return hideSecrets(whole, { values: sentSecrets(filled), headers, cookies: new Set(cookies) });
}

const hideInText = (text: string, sent?: Sent): string | undefined => hide({ text }, sent).text;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

describe('hideSecrets, in a text', () => {
  it('hides secrets in the names and messages of errors', () => {
    const { errors } = hide({ errors: [{ parameter: `row[${cookie}]`, message: `${cookie} is invalid` }] });
    assert.deepEqual(errors, [{ parameter: 'row[[hidden]]', message: '[hidden] is invalid' }]);
  });

  const secrets: readonly (readonly [string, string])[] = [
    ['as they are', password],
    ['encoded for URLs', encodeURIComponent(password)],
    ['encoded for URLs in lower case', encodeURIComponent(password).toLowerCase()],
    ['with minimal encoding for URLs', new URL(`/${password}`, 'https://a').pathname.slice(1)],
    ['encoded for URLs twice', encodeURIComponent(encodeURIComponent(password))],
    ['encoded as urlencoded forms', new URLSearchParams({ '': password }).toString().slice(1)],
    ['escaped for HTML', escaped(password)],
    ['escaped for HTML by numbers', password.replace(/\W/g, (each) => `&#x${each.charCodeAt(0).toString(16)};`)],
    ['escaped for JSON', JSON.stringify(password).slice(1, -1)],
    ['escaped for JSON in JSON', JSON.stringify(JSON.stringify(password)).slice(3, -3)],
    ['escaped for JSON in ASCII', password.replace(/[^ -~]|["&</]/g, (each) => unicodeEscape(each))],
    ['in base64', base64(password)],
    ['in base64 for URLs', Buffer.from(password).toString('base64url')],
    ['from hidden controls', escaped(token)],
    ['from hidden controls, encoded for URLs', encodeURIComponent(token)],
    ['from cookies', cookie],
    ['from headers', 'key-of-operator'],
    ['from headers, in base64', base64('key-of-operator')],
    ['of digits', card],
    ['of digits in groups', '4111 1111 1111 1111'],
    ['of digits in groups with dashes', '4111-1111-1111-1111'],
    ['of digits in groups, encoded', '4111%201111+1111&nbsp;1111'],
  ];
  for (const [name, text] of secrets) {
    it(`hides secrets ${name}`, () => assert.equal(hideInText(`a=${text};${text}, b`), 'a=[hidden];[hidden], b'));
  }

  const key = 'Office-Key_Señor/4711';
  const spell = (separator: string): string => [...key].join(separator);
  const pointsFrom = (text: string, offset: number): string =>
    text.replace(/[!-~]/g, (character) => String.fromCodePoint(character.charCodeAt(0) + offset));
  const disguises: readonly (readonly [string, string])[] = [
    ['in upper case', key.toUpperCase()],
    ['in lower case', key.toLowerCase()],
    ['with soft hyphens', spell('\xad')],
    ['with zero-width spaces', spell('\u200b')],
    ['with zero-width joiners', spell('\u200d')],
    ['with combining grapheme joiners', spell('\u034f')],
    ['with bidirectional controls', spell('\u202e')],
    ['with variation selectors', spell('\ufe0f')],
    ['with variation selectors beyond the BMP', spell('\u{e0100}')],
    ['with tag characters', spell('\u{e0041}')],
    ['with unassigned invisible characters', spell('\u{e0fff}')],
    ['with invisible characters of shorthand and music', spell('\u{1bca0}\u{1d173}')],
    ['with byte order marks', spell('\ufeff')],
    ['with control characters', spell('\0')],
    ['with annotation characters', spell('\ufff9')],
    ['in full width', pointsFrom(key, 0xfee0)],
    [
      'in bold letters of mathematics',
      key.replace(/[a-z]/g, (each) => String.fromCodePoint(each.charCodeAt(0) + 0x1d3b9)),
    ],
    ['in squares', key.toUpperCase().replace(/[A-Z]/g, (each) => String.fromCodePoint(each.charCodeAt(0) + 0x1f0ef))],
    ['with ligatures', key.replace('ffi', 'ﬃ')],
    ['decomposed', key.normalize('NFD')],
    ['with long letters', key.replace('ñ', 'Ñ').replace('K', '\u212a').replaceAll('s', 'ſ')],
    ['with entities', key.replace('-', '&#45;&shy;').replace('_', '&lowbar;&zwnj;').replace('/', '&sol;')],
    ['with entities of invisible characters', spell('&NoBreak;&ZeroWidthSpace;&lrm;&it;')],
    ['with numbers without semicolons', key.replace('-', '&#45').replace('K', '&#75').replace('_', '&#95')],
    ['with numbers with leading zeros', key.replace('-', '&#000000000045;').replace('K', '&#x000000004B;')],
    ['with rare entities', key.replace('_', '&UnderBar;').replace('/', '&NegativeVeryThinSpace;/')],
    ['with encoded soft hyphens', spell('%C2%AD')],
    ['in hexadecimal', Buffer.from(key).toString('hex').toUpperCase()],
  ];
  for (const [name, text] of disguises) {
    it(`hides configured values ${name}`, () => {
      assert.equal(hideInText(`a=${text}; b`, { headers: { 'x-key': key } }), 'a=[hidden]; b');
    });
  }

  for (const start of ['', 'u', 'us', 'user:', '{"a":"']) {
    it(`hides configured values in base64 after ${JSON.stringify(start)}`, () => {
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${start}${key}:end`).toString(encoding);
        const shown = hideInText(`a=${encoded}`, { headers: { 'x-key': key } }) ?? '';
        assert.match(shown, /^a=.{0,9}\[hidden\].{0,8}$/);
        assert.ok(!Buffer.from(shown.slice(2), encoding).toString().includes('Key'));
      }
    });
  }

  for (const [name, width, end] of [
    ['MIME', 76, '\r\n'],
    ['PEM', 64, '\n'],
    ['Ruby', 60, '\n'],
    ['an indented block', 40, '\n    '],
    ['JSON', 76, '\\n'],
    ['JSON in JSON', 76, '\\\\r\\\\n'],
    ['a URL', 76, '%0D%0A'],
    ['a page', 76, ' '],
  ] as const) {
    it(`hides configured values in base64 that is broken over lines as in ${name}`, () => {
      // each position in a line
      for (let length = 0; length < (width / 4) * 3; length++) {
        const encoded = base64(`${'-'.repeat(length)}${key.repeat(5)}:end`);
        const broken = encoded.match(new RegExp(`.{1,${width}}`, 'g'))?.join(end) ?? '';
        const shown = hideInText(`a=${broken}`, { headers: { 'x-key': key.repeat(5) } }) ?? '';
        const joined = shown.replace(/\s|\\+[rn]|%0[AD]/g, '');
        assert.match(joined, /^a=[LS0t]*.{0,3}\[hidden\].{0,9}$/, `after ${length} bytes`);
      }
    });
  }

  it('does not change words and lines that are not base64 of a secret', () => {
    const text = 'T2Zm aWNl\ncGFzcw\n3d cmQ K2V5 LW9m LW9w 4f 66 66';
    assert.equal(hideInText(text, { headers: { 'x-key': key } }), text);
  });

  it('does not change words in other scripts, styles and forms', () => {
    const text = '한국어 ﷺ ﬃ ﬁnd ½ ℃ İstanbul Straße 🇩🇪 🅰 𝐛𝐨𝐥𝐝 e\u0301 نص ​​ offices keys señora 4712 T2ZmaWNl';
    assert.equal(hideInText(text, { headers: { 'x-key': key } }), text);
    assert.equal(hideInText('pass as s-e-c', { sensitive: ['secr', 'pas s'] }), 'pass as s-e-c');
  });

  it('hides a secret within a long string of expanded and invisible characters', () => {
    for (const filler of ['ﬃ', '한', '\xad', '\u{e0041}', '\u{1d41a}', '\ud835', '+']) {
      const text = filler.repeat(20_000);
      assert.match(hideInText(`${text}${key}${text}`, { headers: { 'x-key': key } }) ?? '', /\[hidden\]/);
    }
  });

  it('does not change other text and its escapes', () => {
    const text = 'cvv 50% off + 1 &amp; \\n %zz %ff &#x999999; 2026-11-22 4111 1111 1111 p@ss';
    assert.equal(hideInText(text), text);
  });

  it('hides a string that consists of a secret with composed letters', () => {
    for (const secret of ['passwordé', 'é1234567', 'Ǖpsilon', 'oﬃce']) {
      const { json, text } = hide({ json: { secret }, text: secret }, { sensitive: [secret] });
      assert.deepEqual([json, text], [{ secret: '[hidden]' }, '[hidden]']);
    }
  });

  it('hides overlapping secrets completely', () => {
    const sensitive = ['pass', 'pass word', 'word-end'];
    assert.equal(hideInText('pass%20word-end, passpass', { sensitive }), '[hidden], [hidden][hidden]');
    assert.equal(hideInText('pass word pass%20word', { sensitive }), '[hidden] [hidden]');
  });

  it('hides a card number without separators, or with others, if the secret itself has separators', () => {
    assert.equal(
      hideInText(`${card} 4111-1111 1111-1111`, { sensitive: ['4111 1111 1111 1111'] }),
      '[hidden] [hidden]',
    );
  });

  it('hides a secret with U+FFFD, which stands for invalid bytes, encoded for URLs', () => {
    const text = hideInText('a=tok%EF%BF%BDen-1&b=%EF%BF', { sensitive: ['tok\ufffden-1'] });
    assert.equal(text, 'a=[hidden]&b=%EF%BF');
  });

  it('hides a secret with collapsed white space and with the line breaks of forms', () => {
    const sensitive = [' pass\n word '];
    assert.equal(hideInText('<pass word>', { sensitive }), '<[hidden]>');
    assert.equal(hideInText('<+pass%0D%0A+word+>', { sensitive }), '<[hidden]>');
  });

  describe('that was truncated before', () => {
    const sensitive = ['Qw7Tz9Lm3Xp+4Rß', card];
    const cut = (text: string, sent: Sent = { sensitive }): string | undefined => hideInText(text, sent);

    for (const cutAs of ['...', '…', '[hidden]']) {
      it(`hides the beginning of a secret before ${cutAs}`, () => {
        for (let length = 4; length < sensitive[0]!.length; length++) {
          assert.equal(cut(`a="${sensitive[0]!.slice(0, length)}${cutAs} b`), `a="[hidden]${cutAs} b`);
        }
        assert.equal(cut(`Qw7T${cutAs}`), `[hidden]${cutAs}`);
      });
    }

    it('hides the beginning of a secret whose encoding was cut anywhere', () => {
      const encoded = [
        encodeURIComponent('Qw7Tß€😀+x'),
        encodeURIComponent(encodeURIComponent('Qw7Tß€😀+x')),
        '&#81;w7T&#xDF;&#x20AC;&#x1F600;&plus;x',
        'Qw7T\\u00df\\u20ac\\ud83d\\ude00\\u002bx',
      ];
      for (const text of encoded) {
        for (let length = text.indexOf('T') + 1; length < text.length; length++) {
          const shown = cut(`${text.slice(0, length)}...`, { sensitive: ['Qw7Tß€😀+x'] }) ?? '';
          assert.match(shown, /^\[hidden\](?:[%&\\][\w#%]*)?\.\.\.$/, text.slice(0, length));
        }
      }
    });

    it('hides the beginning of a card number in groups', () => {
      assert.equal(cut('4111 1111 11... 4111-1...'), '[hidden]... [hidden]...');
    });

    it('does not change words before dots that begin otherwise, or are short', () => {
      const text = 'Please wait... Qw7... xQw7.. Qw7T. Qw7T .. (411...)';
      assert.equal(cut(text), text);
    });
  });

  it('hides a decoded cookie', () => {
    assert.equal(hideInText('s:signed/session-id', { cookies: ['connect.sid=s%3Asigned%2Fsession-id'] }), '[hidden]');
    assert.equal(hideInText('%zz-session-id', { cookies: ['session=%zz-session-id'] }), '[hidden]');
  });

  it('does not hide secrets as short as ordinary words', () => {
    const sent = { sensitive: ['abc'], hidden: ['short-token'], cookies: ['session=dark'], headers: { a: 'x' } };
    assert.equal(hideInText('abc short-token dark x', sent), 'abc short-token dark x');
  });

  it('cuts the text after its secrets are hidden', { tags: 'long' }, () => {
    const filler = 'x'.repeat(50_000);
    const encoded = [password, encodeURIComponent(password), escaped(password), JSON.stringify(password).slice(1, -1)];
    for (const secret of [...encoded, card, '4111 1111 1111 1111']) {
      for (let length = 1; length < secret.length; length++) {
        const start = filler.slice(length);
        assert.equal(hideInText(start + secret), `${start}[hidden]`.slice(0, 50_000), secret.slice(0, length));
      }
    }
  });

  it('truncates a string that becomes longer', () => {
    const shown = hideInText('pass'.repeat(12_500), { sensitive: ['pass'] });
    assert.equal(shown, '[hidden]'.repeat(6250));
  });
});

describe('hideSecrets, for a secret number', () => {
  const locales = [
    'en',
    'de',
    'fr',
    'de-CH',
    'en-IN',
    'sv',
    'pl',
    'ar-EG',
    'fa',
    'hi-u-nu-deva',
    'th-u-nu-thai',
    'ccp',
    'ff-Adlm',
    'zh',
  ];
  for (const secret of ['4711081', '1234567.5', '-98765.43']) {
    const number = Number(secret);
    for (const locale of locales) {
      const text = number.toLocaleString(locale, { maximumFractionDigits: 5 });
      it(`hides ${secret} as in ${locale}`, () => {
        const shown = hideInText(`Code: ${text}!`, { sensitive: [secret] }) ?? '';
        assert.match(shown, /^Code: [^\p{N}]*\[hidden\][^\p{N}]*!$/u);
        assert.equal(hideInText('Code: 1.234.568!', { sensitive: [secret] }), 'Code: 1.234.568!');
      });
    }
  }

  const hexadecimal = `0x${4111111111111111n.toString(16)}`;
  for (const [secret, notations] of [
    [
      '4711081',
      [
        '4_711_081',
        "4'711'081",
        '471,1081',
        '+4711081',
        '-4711081',
        '4711081.00',
        '4,711,081.00',
        '0x47e2a9',
        '0X47E2A9',
      ],
    ],
    ['４７１１０８１', ['4,711,081.00', '4.711.081', '0x47e2a9']],
    ['123456', ['1.23456e5', '1,23456E+5']],
    ['1000000', ['1e+06', '1E+06']],
    ['123456789', ['1234567.89', '1,234,567.89', '1.234.567,89']],
    ['00471108', ['471108', '471,108', '4,71,108', '-471108']],
    ['1234567.50', ['1234567.5', '1.234.567,5', '1,234,567.50', '1 234 567,50']],
    ['4111111111111111', ['4.111111111111111e+15', '4,111111111111111E15', hexadecimal, '4,111,111,111,111,111']],
    ['+49 170 1234567', ['491701234567', '49 1701234567', '491,701,234,567']],
  ] as const) {
    for (const notation of notations) {
      it(`hides ${secret} as ${notation}`, () => {
        const shown = hideInText(`a ${notation} b`, { sensitive: [secret] }) ?? '';
        assert.match(shown, /^a (?:[+-]|0x)?\[hidden\](?:\.00|\+?15|\+?5)? b$/);
      });
    }
  }

  it('hides a string with the escapes of JavaScript, URLs and HTML', () => {
    const sensitive = [`Łó'dź&1é`];
    for (const text of [
      String.raw`Łó\x27dź\x261\xe9`,
      "%u0141%F3'd%u017a&1%E9",
      '&#321;&oacute;&#39;d&#378;&amp;1&eacute;',
    ])
      assert.equal(hideInText(`a ${text} b`, { sensitive }), 'a [hidden] b');
  });

  it('hides it in JSON with another sign and, if it is long, with a decimal point', () => {
    const short = hide({ json: [-4711081, 4711081, 471108100, 4711082, 47110] }, { sensitive: ['4711081'] });
    assert.deepEqual(short.json, ['[hidden]', '[hidden]', 471108100, 4711082, 47110]);
    const sensitive = ['4111-1111-1111-1111'];
    const long = hide({ json: [-4111111111111111, 41111111111111.11, 4111111111111112] }, { sensitive });
    assert.deepEqual(long.json, ['[hidden]', '[hidden]', 4111111111111112]);
  });

  it('hides it without separators, or with others, if the secret itself has separators', () => {
    for (const own of ['4,711,081', '4.711.081', "4'711'081", '4,711,081.00', '4.711.081,00', '47,11,081']) {
      const sensitive = [own];
      assert.deepEqual(hide({ json: [4711081, -4711081] }, { sensitive }).json, ['[hidden]', '[hidden]'], own);
      assert.equal(hideInText('4711081 or 4 711 081', { sensitive }), '[hidden] or [hidden]', own);
    }
    const sensitive = ['12,345'];
    assert.deepEqual(hide({ json: [12345, 12.345] }, { sensitive }).json, ['[hidden]', '[hidden]']);
    assert.equal(hideInText('12.346 and 123.45', { sensitive }), '12.346 and 123.45');
  });

  it('shows other numbers that share digits with it', () => {
    const text = '12.345 km, 1.2345, 12,346 and 123.45';
    assert.equal(hideInText(text, { sensitive: ['12346'] }), '12.345 km, 1.2345, [hidden] and 123.45');
    assert.deepEqual(hide({ json: [12.346, 1.2346] }, { sensitive: ['12346'] }).json, [12.346, 1.2346]);
  });
});

describe('hideSecrets, in JSON', () => {
  it('hides secrets in strings, names and numbers', () => {
    const json = { [encodeURIComponent(password)]: [Number(card), { a: card, b: 411, c: null, d: true, e: 4111 }] };
    const shown = { '[hidden]': ['[hidden]', { a: '[hidden]', b: 411, c: null, d: true, e: 4111 }] };
    assert.deepEqual(hide({ json }).json, shown);
    assert.deepEqual(hide({ jsonLd: [json] }).jsonLd, [shown]);
  });

  it('hides a number that has lost its precision', () => {
    const sensitive = ['6212345678901234567'];
    assert.deepEqual(hide({ json: JSON.parse('[6212345678901234567]') as number[] }, { sensitive }).json, ['[hidden]']);
  });

  it('does not hide short numbers', () => {
    assert.deepEqual(hide({ json: [7, 1234, 1234.5] }, { sensitive: ['0007', '1234'] }).json, [7, '[hidden]', 1234.5]);
  });
});

describe('hideSecrets, in the URL and the type', () => {
  it('hides secrets', () => {
    const url = `https://site.example/done/${encodeURIComponent(password)}?m=${encodeURIComponent(token)}`;
    const contentType = `text/plain; x=${encodeURIComponent(password)}`;
    const shown = hide({ url, contentType });
    assert.equal(shown.url, 'https://site.example/done/[hidden]?m=[hidden]');
    assert.equal(shown.contentType, 'text/plain; x=[hidden]');
  });

  it('does not change the origin and the status', () => {
    const { url, status } = hide({ url: 'https://site.example/site' }, { sensitive: ['site', '0200'] });
    assert.deepEqual([url, status], ['https://site.example/[hidden]', 200]);
  });
});

describe('hideSecrets, with much input', () => {
  it('hides many tokens in long answers', { tags: 'long' }, () => {
    const hidden = Array.from({ length: 10_000 }, (_, index) => `f00dfeed1ace${(0x1000 + index).toString(16)}`);
    const json = ['f00dfeed1acf00dfeed1ac', '%41+&amp;\\u0041 1 ', 'f00dfeed1ace1001'].map((text) =>
      text.repeat(Math.ceil(1e6 / text.length)),
    );
    const shown = hide({ json }, { hidden }).json as readonly string[];
    assert.equal(shown[0], json[0]);
    assert.match(shown[2] as string, /^(?:\[hidden\])+$/);
  });
});

describe('the answer to a form', () => {
  const controls =
    '<input type=password name=p><select name=year autocomplete=cc-exp-year><option>2030-page<option>2031-secret</select>';

  /** The answer that the agent receives. */
  async function submit(
    t: TestContext,
    answer: (request: Recorded) => { readonly headers?: object; readonly status?: number; readonly body?: string },
    p = 'password-x',
  ): Promise<ToolAnswer> {
    const config = { values: { p, year: '2031-secret' } };
    const html = pageOf('method=post action=/sent', controls);
    const cookies = ['sid=first-of-the-site', 'acc=a1c2c3o4u5n6t7x8; Path=/sent'];
    const site = await openSite((request, response) => {
      const { status = 200, headers = {}, body = '' } = request.url === '/page' ? { body: html } : answer(request);
      const type = request.url === '/page' ? { 'content-type': 'text/html', 'set-cookie': cookies } : {};
      response.writeHead(status, { 'content-type': 'text/plain', ...type, ...headers }).end(body);
    });
    t.onTestFinished(site.close);
    return await call({ html, pageUrl: `${site.origin}/page`, config });
  }

  for (const [contentType, start, end] of [
    ['text/plain', '', ''],
    ['application/json', '{', ''],
    ['text/html', '<main>', '</main>'],
  ] as const) {
    it(`does not end within a secret where it is cut: ${contentType}`, async (t) => {
      const { text = '' } = await submit(t, () => ({
        headers: { 'content-type': contentType },
        body: `${start}${'x'.repeat(49_995)}password-x${end}`,
      }));
      assert.match(text, /^\{?x+\[hi/);
      assert.equal(text.length, 50_000);
    });
  }

  const invisible = ['\ufeff', '&#xFEFF;', '\u200b', '\u2060', '&shy;', '\u{e0041}', '<wbr>', '<!---->', '<b></b>'];
  for (const each of invisible) {
    it(`hides a secret that a page interrupts with ${JSON.stringify(each)}`, async (t) => {
      const { text, messages } = await submit(t, () => ({
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: `<main><p role=alert>no ${['pass', 'word-x'].join(each)}</p>${[...'password-x'].join(each)}</main>`,
      }));
      assert.deepEqual([text, messages], ['no [hidden] [hidden]', ['no [hidden]']]);
    });
  }

  for (const each of ['\ufeff', '\u200b', '\xad']) {
    it(`hides a secret that contains ${JSON.stringify(each)}`, async (t) => {
      const p = ['pass', 'word-y'].join(each);
      const answer = (): object => ({
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: `<main>${p} password-y</main>`,
      });
      const { text } = await submit(t, answer, p);
      assert.equal(text, '[hidden] [hidden]');
    });
  }

  it('hides the option of the operator but not the other options', async (t) => {
    const { text } = await submit(t, ({ body }) => ({ body: `${body} 2030-page` }));
    assert.equal(text, 'p=[hidden]&year=[hidden] 2030-page');
  });

  it('hides a cookie that the response changes', async (t) => {
    const { text } = await submit(t, ({ headers }) => ({
      headers: { 'set-cookie': 'sid=second-of-the-site; Path=/' },
      body: `${headers.cookie} second-of-the-site`,
    }));
    assert.equal(text, 'acc=[hidden]; sid=[hidden] [hidden]');
  });

  it('hides a cookie of a path before a redirect', async (t) => {
    let cookies: string | undefined;
    const { url, text } = await submit(t, ({ method, headers }) => {
      if (method !== 'POST') return { body: String(cookies) };
      cookies = headers.cookie;
      return { status: 303, headers: { location: '/done?m=password%2Dx' } };
    });
    assert.match(url, /\/done\?m=\[hidden\]$/);
    assert.equal(text, 'acc=[hidden]; sid=[hidden]');
  });

  for (const [what, path] of [
    ['truncates', `/${'x'.repeat(264)}/`],
    ['cuts at a path parameter', '/'],
  ] as const) {
    it(`hides the beginning of a secret in a URL that an error ${what}`, async (t) => {
      const p = what === 'truncates' ? 'Qw7Tz9Lm3Xp4Rs8' : 'Qw7Tz9Lm3;Xp4Rs8';
      const html = pageOf('method=post action=/sent', `${controls}<input type=hidden name=csrf_token value=1>`);
      const site = await openSite(({ url }, response) =>
        url === '/page'
          ? response.writeHead(302, { location: `${path}${p}` }).end()
          : response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome'),
      );
      t.onTestFinished(site.close);
      const config = { values: { p, year: '2031-secret' } };
      const { message } = await failureOf(call({ html, pageUrl: `${site.origin}/page`, config }), 'page-drift');
      assert.match(message, /\[hidden\]/);
      assert.doesNotMatch(message, /Qw7T/);
    });
  }

  it('hides the beginning of a secret in the name of a control that an error truncates', async (t) => {
    const p = 'Qw7Tz9Lm3Xp4Rs8';
    const form = (more: string): string => pageOf('method=post action=/sent', `${controls}${more}`);
    const html = form('<input type=hidden name=csrf_token value=1>');
    const name = `${'x'.repeat(85)}${p}`;
    const site = await openSite((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(form(`<input type=hidden name=csrf_token value=1><input type=hidden name=${name} value=1>`)),
    );
    t.onTestFinished(site.close);
    const config = { values: { p, year: '2031-secret' } };
    const { message } = await failureOf(call({ html, pageUrl: `${site.origin}/page`, config }), 'page-drift');
    assert.match(message, /x\[hidden\]\.\.\./);
  });

  it('hides a cookie that the session rejects', async (t) => {
    const { text } = await submit(t, () => ({
      headers: { 'set-cookie': 'a=r1e2f3u4s5e6d7x8; Domain=other.example' },
      body: 'r1e2f3u4s5e6d7x8',
    }));
    assert.equal(text, '[hidden]');
  });
});
