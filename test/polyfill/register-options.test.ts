import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import { namesIn, record, rejectionOf, settle, toolIn } from '../support/polyfill/frame.js';
import { call, next, quiet, rejectionName, register, testOver, valid } from '../support/polyfill/page.js';

apply();

const registerTool = (name: string, signal?: AbortSignal, description = 'd') =>
  document.modelContext.registerTool({ ...valid, name, description }, signal && { signal });

describe('the signal of registerTool', () => {
  it('aborting the signal of registerTool unregisters the tool before the next getTools', async () => {
    const controller = await register({ name: 'a' });
    expect(await namesIn(document)).to.deep.equal(['a']);
    controller.abort();
    expect(await namesIn(document)).to.deep.equal([]);
  });

  it('aborting the signal of registerTool dispatches toolchange, and the name can be used at once', async () => {
    const controller = await register({ name: 'a' });
    await quiet();
    const log = record(document);
    const changed = next('toolchange');
    controller.abort();
    await changed;
    await settle();
    expect(log).to.deep.equal(['toolchange']);
    await register({ name: 'b' }).then((second) => second.abort());
    await register({ name: 'b', title: 'again' });
    expect((await toolIn(document, 'b')).title).to.equal('again');
  });

  it('registerTool with an aborted signal rejects with its reason and registers nothing', async () => {
    for (const reason of [new Error('mine'), 'text', null, 0]) {
      expect(await rejectionOf(registerTool('a', AbortSignal.abort(reason)))).to.equal(reason);
    }
    expect(await rejectionName(registerTool('a', AbortSignal.abort()))).to.equal('AbortError');
    expect(await namesIn(document)).to.deep.equal([]);
  });

  it('a signal that aborts right after registerTool rejects the call with its reason', async () => {
    for (const reason of [new Error('mine'), 'text', null, 0]) {
      const controller = new AbortController();
      const registered = registerTool('a', controller.signal);
      controller.abort(reason);
      expect(await rejectionOf(registered)).to.equal(reason);
    }
    expect(await namesIn(document)).to.deep.equal([]);
  });

  it('a signal that aborts right after registerTool frees the name at once', async () => {
    const controller = new AbortController();
    const first = registerTool('a', controller.signal, 'first');
    controller.abort();
    const second = registerTool('a', testOver(), 'second');
    expect(await rejectionName(first)).to.equal('AbortError');
    await second;
    expect((await toolIn(document, 'a')).description).to.equal('second');
  });

  it('the signal of a rejected registration does not unregister the tool of that name', async () => {
    await register({ name: 'a' });
    const rejected = new AbortController();
    expect(await rejectionName(registerTool('a', rejected.signal))).to.equal('InvalidStateError');
    rejected.abort();
    expect(await namesIn(document)).to.deep.equal(['a']);
  });

  it('the signal of a registration with invalid origins does not unregister a later tool of that name', async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal, exposedTo: ['*'] };
    const registration = document.modelContext.registerTool({ ...valid, name: 'a' }, options);
    expect(await rejectionName(registration)).to.equal('SecurityError');
    await register({ name: 'a' });
    controller.abort();
    expect(await namesIn(document)).to.deep.equal(['a']);
  });

  it('an aborted signal does not unregister the next tool of that name', async () => {
    const first = new AbortController();
    const aborted = registerTool('a', first.signal);
    first.abort();
    await rejectionName(aborted);
    await register({ name: 'a' });
    first.signal.dispatchEvent(new Event('abort'));
    expect(await namesIn(document)).to.deep.equal(['a']);
  });

  it('one signal can unregister many tools', async () => {
    const controller = new AbortController();
    await Promise.all(['a', 'b', 'c'].map((name) => registerTool(name, controller.signal)));
    await register({ name: 'd' });
    controller.abort();
    expect(await namesIn(document)).to.deep.equal(['d']);
  });

  it('the signal of registerTool can be an AbortSignal.any', async () => {
    const controller = new AbortController();
    await registerTool('a', AbortSignal.any([controller.signal, testOver()]));
    expect(await call('a', { x: 1 })).to.equal('{"x":1}');
    controller.abort();
    expect(await namesIn(document)).to.deep.equal([]);
  });
});

describe('the origins of exposedTo and of fromOrigins', () => {
  const trustworthy = [
    'https://example.com',
    'https://example.com/path?query#hash',
    'https://user:secret@example.com',
    'HTTPS://EXAMPLE.COM',
    ' https://example.com ',
    'https:example.com',
    'wss://example.com',
    'http://localhost',
    'http://localhost:3000',
    'http://app.localhost',
    'http://localhost.',
    'http://127.0.0.1',
    'http://127.9.9.9:1',
    'http://[::1]',
    'blob:https://example.com/x',
  ];
  const others = [
    '',
    '/',
    '*',
    'null',
    'nope',
    '//example.com',
    'https://a:99999',
    'https://\ud800',
    'wss://\ud800',
    'http://example.com',
    'http://192.168.0.1',
    'http://localhost.example.com',
    'http://localhosts',
    'http://[::ffff:127.0.0.1]',
    'ftp://example.com',
    'ws://example.com',
    'about:blank',
    'about:srcdoc',
    'data:text/plain,x',
    'javascript:1',
    'blob:http://example.com/x',
    'blob:null/x',
  ];

  it('exposedTo and fromOrigins accept potentially trustworthy origins', async () => {
    for (const [index, origin] of trustworthy.entries()) {
      const registered = document.modelContext.registerTool(
        { ...valid, name: `tool-${index}` },
        { signal: testOver(), exposedTo: [origin] },
      );
      expect(await registered, origin).to.equal(undefined);
      expect(await document.modelContext.getTools({ fromOrigins: [origin] }), origin).to.have.lengthOf(index + 1);
    }
  });

  for (const origin of others) {
    it(`exposedTo and fromOrigins reject ${JSON.stringify(origin)} with a SecurityError`, async () => {
      const list = ['https://example.com', origin];
      const registered = document.modelContext.registerTool({ ...valid, name: 'a' }, { exposedTo: list });
      expect(await rejectionName(registered)).to.equal('SecurityError');
      expect(await rejectionName(document.modelContext.getTools({ fromOrigins: list }))).to.equal('SecurityError');
      expect(await namesIn(document)).to.deep.equal([]);
    });
  }
});
