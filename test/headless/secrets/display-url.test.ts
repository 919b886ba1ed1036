import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { displayUrl } from '../../../src/headless/secrets/display-url.js';

const site = 'https://shop.example';

describe('displayUrl', () => {
  for (const query of [
    'id=start&do=edit',
    'id=wiki%3Asyntax&rev=1700000000',
    'author=3&keyword=a',
    'post=12&action=edit',
    'next=%2Fwp-admin%2Fpost.php%3Fpost%3D1&reauth=1',
    'a&b=&=c',
    'page=2026-11-23-annual-report',
  ]) {
    it(`shows the ordinary values of ${query}`, () => {
      assert.equal(displayUrl(`${site}/p?${query}`), `${site}/p?${query}`);
    });
  }

  for (const [query, shown] of [
    ['_wpnonce=0a1b2c3d4e&action=edit', '_wpnonce=[hidden]&action=edit'],
    ['s=a8f3k2m9x7q1w5z0b4c6', 's=[hidden]'],
    ['next=%2Fa%3Ftoken%3Dabcdef123456', 'next=[hidden]'],
    ['sid=%61bcdef123456&x=1', 'sid=[hidden]&x=1'],
    ['a8f3k2m9x7q1w5z0b4c6&x=1', '[hidden]&x=1'],
    ['next=%2Fa%3Fnext%3D%252Fb%253Ftoken%253Dabcdef123456', 'next=[hidden]'],
  ] as const) {
    it(`hides the secret in ${query}`, () => {
      assert.equal(displayUrl(`${site}/p?${query}`), `${site}/p?${shown}`);
    });
  }

  it('hides secrets in the path, but not the identifiers of pages', () => {
    assert.equal(displayUrl(`${site}/reset/Xk29dkWq93kdLqPs/a`), `${site}/reset/[hidden]/a`);
    assert.equal(displayUrl(`${site}/(S(lit3py55t21z5v55vlm25s55))/a`), `${site}/[hidden]/a`);
    const path = '/2026/11/23/annual-report-2026/0b1c8a86-7a9f-4b59-9d0c-5d0f0f6f6f01/wp-login.php';
    assert.equal(displayUrl(site + path), site + path);
  });

  it('omits credentials, fragments, path parameters and on request the query', () => {
    const url = 'https://me:pass@shop.example:8443/a;jsessionid=1A2B/b;v=1?q=1#f';
    assert.equal(displayUrl(url), 'https://shop.example:8443/a;.../b;...?q=1#...');
    assert.equal(displayUrl(new URL(url), { query: false }), 'https://shop.example:8443/a;.../b;...?...#...');
  });

  it('limits the length', () => {
    assert.equal(displayUrl(`${site}/${'x'.repeat(5000)}`).length, 303);
  });
});
