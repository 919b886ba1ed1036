import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'vitest';
import { secretsIn, secretsInCookie } from '../../../src/headless/secrets/random-values.js';
import { SecretSearch } from '../../../src/headless/secrets/secret-search.js';
import { givenTexts, secretTexts, sentSecrets } from '../../../src/headless/secrets/sent-secrets.js';
import type { ControlDescription, FormDescription } from '../../../src/compiler/index.js';
import { withinCpuSeconds } from '../../support/cpu-time.js';

/** The same random text in each run. */
const random = (seed: number | string, encoding: 'hex' | 'base64' | 'base64url' = 'hex'): string =>
  createHash('sha512').update(String(seed)).digest(encoding);

const secrets: readonly (readonly [name: string, value: string])[] = [
  ['csrfmiddlewaretoken', 'JYnPzLQQcXbwlWeWgmLgCCcDA1VSTTiyVIcbNZ9wbHUgZcNTRvrpLHGHSLLAXqhQ'], // Django
  ['_wpnonce', 'a1b2c3d4e5'], // WordPress
  ['_ajax_nonce-add-meta', '9876543210'],
  ['authenticity_token', random(1, 'base64')], // Rails
  ['_token', 'kV1xqTz0J7bNfRsYwUe3LmPa9cGhDi5oXt2Q4rZB'], // Laravel
  ['task[_token]', 'csrf-token'.repeat(2)], // Symfony 7
  ['task[_token]', `3f.${random(2, 'base64url')}.${random(3, 'base64url')}`],
  ['sectok', random(4).slice(0, 32)], // DokuWiki
  ['form_build_id', `form-${random(5, 'base64url').slice(0, 43)}`], // Drupal
  ['__VIEWSTATE', `/wEPDwUKLTk2${random(6, 'base64')}`], // ASP.NET
  ['state', `eyJhbGciOiJIUzI1NiJ9.${random(7, 'base64url')}`], // JSON Web Token
  ['ref', '0b1c8a86-7a9f-4b59-9d0c-5d0f0f6f6f01'],
  ['x', random(8).slice(0, 16)],
];

const words: readonly (readonly [name: string, value: string])[] = [
  ['_wp_http_referer', '/wp-admin/post.php?post=1&action=edit'],
  ['redirect_to', 'http://localhost:8080/wp-admin/'],
  ['redirect_to', 'http://localhost:8080/reset/Xk29dkWq93kdLqPs'],
  ['url', 'post.php?message=1'],
  ['id', 'wiki:start:a-long-page-name'],
  ['do', 'edit'],
  ['originalaction', 'editpost'],
  ['meta_key', 'created_by_author'],
  ['encoding', 'application/x-www-form-urlencoded'],
  ['collation', 'utf8mb4_unicode_520_ci'],
  ['time', '2026-11-23T04:05:06.789Z'],
  ['timestamp', '1700000000000'],
  ['items', 'room1-room2-room3-room4'],
  ['handler', 'getElementsByTagNameNSWithFilterAndOptions'],
  ['law', 'Rechtsschutzversicherungsgesellschaften'],
  ['options', '{"columns":["name","price"],"page":12,"size":50}'],
  ['order_id', '0b1c8a86-7a9f-4b59-9d0c-5d0f0f6f6f01'],
  ['product_id', '507f1f77bcf86cd799439011'],
  ['form-TOTAL_FORMS', '1000'],
  ['名前', '保存しました。ありがとうございました。'],
];

describe('secretsIn', () => {
  for (const [name, value] of secrets) {
    it(`finds the secret of ${name}: ${value.slice(0, 12)}`, () => {
      assert.equal(secretsIn(name, value)[0], value);
    });
  }
  for (const [name, value] of words) {
    it(`finds no secret in ${name}: ${value}`, () => {
      assert.deepEqual(secretsIn(name, value), []);
    });
  }

  it('finds the parts of a composed value', () => {
    const value = `admin|1700000000|${random(1, 'base64url')}|${random(2)}`;
    assert.deepEqual(secretsIn('a', value), [value, random(1, 'base64url'), random(2)]);
  });
});

describe('secretsInCookie', () => {
  for (const [name, value] of [
    ['PHPSESSID', 'abcdefghijklmnopqrstuvwxyz'],
    ['sessionid', 'dxknyvcl2gzoj3nc8q1eap9dazoy3jfe'],
    ['connect.sid', `s:${random(1, 'base64url').slice(0, 32)}.${random(2, 'base64').slice(0, 43)}`],
    ['laravel_session', `eyJpdiI6${random(3, 'base64')}`],
  ] as const) {
    it(`finds the secret of ${name}`, () => assert.equal(secretsInCookie(name, value)[0], value));
  }
  for (const [name, value] of [
    ['wordpress_test_cookie', 'WP Cookie check'],
    ['wp-settings-1', 'libraryContent=browse&editor=html'],
    ['DOKU_PREFS', 'list#rows#sort#date'],
    ['theme', 'dark-mode-with-high-contrast'],
    ['django_language', 'en'],
  ] as const) {
    it(`finds no secret in ${name}`, () => assert.deepEqual(secretsInCookie(name, value), []));
  }
});

/** A control of a form with its value. */
const control = (name: string, sensitive = false): ControlDescription => ({
  ...{ element: 'input', attributes: {}, words: [], groups: [], name },
  ...(sensitive ? { type: 'password', sensitive } : { type: 'hidden' }),
});

const searchFor = (
  values: readonly (readonly [ControlDescription, string])[],
  { cookies = [] as readonly string[], headers = {}, set = new Set<number>() } = {},
): SecretSearch => {
  const tool = { name: 't', description: 't', title: null, autosubmit: false };
  const controls = values.map(([each]) => each);
  const form: FormDescription = { tool, method: 'post', action: null, enctype: 'text/plain', groups: [], controls };
  const states = values.map(([, value]) => ({ holds: 'value', value }) as const);
  return new SecretSearch(
    secretTexts({
      values: sentSecrets({ form, states, set, submitter: undefined }),
      headers,
      cookies: new Set(cookies),
    }),
  );
};

describe('secretsIn, with long values of a page', () => {
  for (const [unit, end] of [
    ['=', 'a'],
    ['=', '=='],
    ['1', ' '],
    ['a.', '!'],
    ['aB1', '='],
    ['token', ' '],
    ['://', 'a'],
  ] as const) {
    it(`ends in linear time for ${JSON.stringify(unit)} before ${JSON.stringify(end)}`, async () => {
      const value = `x1${unit.repeat(2_000_000 / unit.length)}${end}`;
      await withinCpuSeconds(20, () => {
        for (const name of ['token', 'id', 'x']) assert.ok(secretsIn(name, value).length < 3);
        assert.ok(secretsIn(value, 'abc123def456ghi7').length < 3);
      });
    });
  }
});

describe('SecretSearch', () => {
  it(
    'hides every configured value and cookie, however many and long they are, beside a huge hidden value',
    { tags: 'long' },
    () => {
      const cookies = Array.from({ length: 180 }, (_, index) => `c${index}=${random(index).repeat(30)}`);
      const headers = {
        authorization: `Bearer ${random('header', 'base64')}`,
        'x-key': 'short',
        cookie: 'a=first; b=%73econd',
      };
      const state = Array.from({ length: 6_000 }, (_, index) => random(`state ${index}`, 'base64url')).join('');
      const hidden = [control('__VIEWSTATE'), state] as const;
      const many = Array.from({ length: 3_000 }, (_, index) => [control(`t${index}`), random(`t ${index}`)] as const);
      const password = [control('p', true), 'pass'] as const;
      const source = [control('source'), 'partner'] as const;
      const search = searchFor([hidden, ...many, source, password], { cookies, headers, set: new Set([3_001, 3_002]) });
      const sent = [
        ...cookies.map((each) => each.slice(each.indexOf('=') + 1)),
        ...Object.values(headers),
        ...['first', '%73econd', 'second', 'pass'],
        'partner',
      ];
      assert.deepEqual(new Set(sent.map((each) => search.hideIn(each))), new Set(['[hidden]']));
      assert.equal(search.hideIn(`a ${state} b`), 'a [hidden] b');
    },
  );

  it('does not hide the words of hidden controls and of ordinary headers', () => {
    const headers = { 'accept-language': 'English', 'x-forwarded-proto': 'https' };
    const search = searchFor(
      words.map(([name, value]) => [control(name), value] as const),
      { headers },
    );
    const text = [...words.map(([, value]) => value), 'English https'].join(' ');
    assert.equal(search.hideIn(text), text);
  });

  it('hides a secret in mixed encodings and letter cases', () => {
    const search = searchFor([[control('p', true), 'p@ss-Word/é']]);
    for (const text of [
      '%70%40%73%73%2D%57%6F%72%64%2F%C3%A9',
      '&#112;&#64;&#x73;&#x73;&#45;Word&#47;&#233;',
      '\\u0070\\u0040ss-Word\\/\\u00e9',
      '%2570%2540ss-Word%252F%25C3%25A9',
      '\\u0026#112;@ss-Word/é',
      '&amp;amp;#112;@ss%26%2345;word/É',
      'P@SS-WORD/É',
      'p@ss\u00ad-\u200bWord/é',
      'ｐ＠ｓｓ－Ｗｏｒｄ／é',
      Buffer.from('p@ss-Word/é').toString('hex'),
      Buffer.from('p@ss-Word/é').toString('base64'),
    ]) {
      assert.equal(search.hideIn(`<${text}>`), '<[hidden]>', text);
    }
  });

  it('hides a secret at the border of two parts of a long text', { tags: 'long' }, () => {
    const search = searchFor([[control('p', true), 'p@ss-Word/é']]);
    for (const before of [1_999_990, 2_000_100]) {
      const text = `${'a'.repeat(before)}<%70%40%73%73%2D%57%6F%72%64%2F%C3%A9>`;
      assert.equal(search.hideIn(text).slice(before), '<[hidden]>');
    }
  });

  it('does not change strings with incomplete escapes', () => {
    const search = searchFor([[control('p', true), 'secret']]);
    for (const text of [
      '%',
      '%2',
      '%%41%',
      '&',
      '&amp',
      '&#;',
      '&#x110000;',
      '\\',
      '\\\\',
      '\\u00',
      '%C3%28',
      '%F0%9F',
      '',
    ]) {
      assert.equal(search.hideIn(`secre${text}`), `secre${text}`);
      assert.equal(search.hideIn(`${text}\n secret${text}`), `${text}\n [hidden]${text}`);
    }
  });
});

describe('secrets of thousands of characters', () => {
  const long = (seed: number): string => Array.from({ length: 32 }, (_, part) => random(`${seed}/${part}`)).join('');
  const spellingsOf = (secret: string): Readonly<Record<string, string>> => {
    const base64 = Buffer.from(secret).toString('base64');
    return {
      plain: secret,
      base64,
      'base64 in lines': base64.replace(/.{76}/g, '$&\n'),
      'base64 in longer data': Buffer.from(`x:${secret}`).toString('base64').slice(3),
      hexadecimal: Buffer.from(secret).toString('hex'),
      'of a URL': encodeURIComponent(base64),
    };
  };

  for (const name of Object.keys(spellingsOf(''))) {
    it(`are hidden completely: ${name}`, () => {
      const search = new SecretSearch(givenTexts([long(1)]));
      const shown = search.hideIn(`a "${spellingsOf(long(1))[name] ?? ''}" b`);
      assert.match(shown, /^a "\[hidden\].{0,2}" b$/);
    });
  }

  it('are searched for in time that grows linearly with their number', { tags: 'long' }, async () => {
    const cookies = Array.from({ length: 90 }, (_, index) => long(index));
    const shown = await withinCpuSeconds(30, () =>
      new SecretSearch(givenTexts(cookies)).hideIn(`a ${cookies[89] ?? ''} b`),
    );
    assert.equal(shown, 'a [hidden] b');
  });
});
