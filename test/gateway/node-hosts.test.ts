import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLoopback } from '../../gateway/src/upstream/addresses.js';
import { hostGuard, hostnameIn } from '../../gateway/src/node/hosts.js';
import { clientOf } from '../../gateway/src/node/rate-limit.js';

describe('the names that requests may call a server by', () => {
  it('are read as a URL has them', () => {
    assert.equal(hostnameIn('Shop.Example.:80'), 'shop.example');
    assert.equal(hostnameIn('[::1]:80'), '[::1]');
    assert.equal(hostnameIn('127.1'), '127.0.0.1');
    for (const none of ['', 'a b', 'a/b', 'a?b', 'a#b', 'a@b', 'a\\b', 'a:b', '[::1']) {
      assert.equal(hostnameIn(none), undefined, none);
    }
  });

  it('are loopback ones where nobody else can reach it', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '[::1]', '::1', '::ffff:127.0.0.1', 'localhost', 'a.localhost']) {
      assert.equal(isLoopback(host), true, host);
    }
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example', 'notlocalhost']) {
      assert.equal(isLoopback(host), false, host);
    }
  });

  it('are all on another address, unless some are allowed', () => {
    assert.equal(hostGuard('0.0.0.0', [])('any.example'), true);
    const guard = hostGuard('0.0.0.0', ['Shop.example']);
    assert.deepEqual(['shop.example:8787', 'localhost', 'any.example', ''].map(guard), [true, true, false, false]);
  });
});

describe('whom calls are counted for', () => {
  it('is an address, or the network of an IPv6 one', () => {
    assert.equal(clientOf('1.2.3.4', undefined), '1.2.3.4');
    assert.equal(clientOf('::ffff:1.2.3.4', undefined), '1.2.3.4');
    assert.equal(clientOf('2001:db8:1:2:3::4', undefined), clientOf('2001:db8:1:2::9', undefined));
    assert.notEqual(clientOf('2001:db8:1:2::9', undefined), clientOf('2001:db8:1:3::9', undefined));
  });

  it('is what the nearest proxy says last, where that is an address', () => {
    assert.equal(clientOf('10.0.0.1', '6.6.6.6, 1.2.3.4'), '1.2.3.4');
    assert.equal(clientOf('10.0.0.1', '1.2.3.4:567'), '1.2.3.4');
    assert.equal(clientOf('10.0.0.1', '[2001:db8::1]:567'), clientOf('2001:db8::2', undefined));
    assert.equal(clientOf('10.0.0.1', '1.2.3.4, unknown'), '10.0.0.1');
    assert.equal(clientOf(undefined, undefined), 'unknown');
  });
});
