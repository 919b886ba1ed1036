import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { isLoopback } from '../../../../src/http/addresses.js';
import { hostGuard, hostnameIn } from '../../../../gateway/src/node/access/checks.js';
import { clientKey } from '../../../../gateway/src/node/access/clients.js';

describe('hostGuard', () => {
  it('hostnameIn normalizes a Host header like a URL', () => {
    assert.equal(hostnameIn('Shop.Example.:80'), 'shop.example');
    assert.equal(hostnameIn('[::1]:80'), '[::1]');
    assert.equal(hostnameIn('127.1'), '127.0.0.1');
    for (const invalid of ['', 'a b', 'a/b', 'a?b', 'a#b', 'a@b', 'a\\b', 'a:b', '[::1']) {
      assert.equal(hostnameIn(invalid), undefined, invalid);
    }
  });

  it('isLoopback accepts only loopback names and addresses', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '[::1]', '::1', '::ffff:127.0.0.1', 'localhost', 'a.localhost']) {
      assert.equal(isLoopback(host), true, host);
    }
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example', 'notlocalhost']) {
      assert.equal(isLoopback(host), false, host);
    }
  });

  it('allows IP addresses and loopback names on other addresses, and names only if they are configured', () => {
    const hosts = [
      '192.168.0.9:8787',
      '[2001:db8::1]:80',
      'localhost',
      'a.localhost',
      'any.example',
      '1.2.3.4.nip.io',
      '',
    ];
    for (const address of ['0.0.0.0', '::', '192.168.0.9', '']) {
      assert.deepEqual(hosts.map(hostGuard(address, [])), [true, true, true, true, false, false, false], address);
    }
    assert.deepEqual(hosts.map(hostGuard('127.0.0.1', [])), [false, false, true, true, false, false, false]);
    const guard = hostGuard('0.0.0.0', ['Shop.example']);
    const names = ['shop.example:8787', 'localhost', 'any.example', '192.168.0.9', ''];
    assert.deepEqual(names.map(guard), [true, true, false, false, false]);
  });
});

describe('clientKey', () => {
  it('returns an IPv4 address or the network of an IPv6 address', () => {
    assert.equal(clientKey('1.2.3.4', undefined), '1.2.3.4');
    assert.equal(clientKey('::ffff:1.2.3.4', undefined), '1.2.3.4');
    assert.equal(clientKey('2001:db8:1:2:3::4', undefined), clientKey('2001:db8:1:2::9', undefined));
    assert.notEqual(clientKey('2001:db8:1:2::9', undefined), clientKey('2001:db8:1:3::9', undefined));
  });

  it('uses the last address in the proxy header', () => {
    assert.equal(clientKey('10.0.0.1', '6.6.6.6, 1.2.3.4'), '1.2.3.4');
    assert.equal(clientKey('10.0.0.1', '1.2.3.4:567'), '1.2.3.4');
    assert.equal(clientKey('10.0.0.1', '[2001:db8::1]:567'), clientKey('2001:db8::2', undefined));
    assert.equal(clientKey('10.0.0.1', '1.2.3.4, unknown'), '10.0.0.1');
    assert.equal(clientKey(undefined, undefined), 'unknown');
  });
});
