import { expect } from '@open-wc/testing';
import { apply } from '../../src/polyfill/index.js';
import { namesIn, record, rejectionOf, settle, toolIn } from './frame.js';
import { call, next, quiet, refusalOf, register, testOver, valid } from './page.js';

apply();

const registerTool = (name: string, signal?: AbortSignal, description = 'd') =>
  document.modelContext.registerTool({ ...valid, name, description }, signal && { signal });

describe('the signal of registerTool', () => {
  it('unregisters the tool for the very next getTools', async () => {
    const controller = await register({ name: 'a' });
    expect(await namesIn(document)).to.deep.equal(['a']);
    controller.abort();
    expect(await namesIn(document)).to.deep.equal([]);
  });

  it('fires toolchange when it unregisters, and frees the name at once', async () => {
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

  it('that is aborted already rejects with its reason, and registers nothing', async () => {
    for (const reason of [new Error('mine'), 'text', null, 0]) {
      expect(await rejectionOf(registerTool('a', AbortSignal.abort(reason)))).to.equal(reason);
    }
    expect(await refusalOf(registerTool('a', AbortSignal.abort()))).to.equal('AbortError');
    expect(await namesIn(document)).to.deep.equal([]);
  });

  it('that is aborted right after the call rejects with its reason, and registers nothing', async () => {
    for (const reason of [new Error('mine'), 'text', null, 0]) {
      const controller = new AbortController();
      const registered = registerTool('a', controller.signal);
      controller.abort(reason);
      expect(await rejectionOf(registered)).to.equal(reason);
    }
    expect(await namesIn(document)).to.deep.equal([]);
  });

  it('that is aborted right after the call frees the name at once', async () => {
    const controller = new AbortController();
    const first = registerTool('a', controller.signal, 'first');
    controller.abort();
    const second = registerTool('a', testOver(), 'second');
    expect(await refusalOf(first)).to.equal('AbortError');
    await second;
    expect((await toolIn(document, 'a')).description).to.equal('second');
  });

  it('of a registration that was refused does not unregister the tool of that name', async () => {
    await register({ name: 'a' });
    const refused = new AbortController();
    expect(await refusalOf(registerTool('a', refused.signal))).to.equal('InvalidStateError');
    refused.abort();
    expect(await namesIn(document)).to.deep.equal(['a']);
  });

  it('of a registration whose origins were refused does not unregister a later tool of that name', async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal, exposedTo: ['*'] };
    const refused = document.modelContext.registerTool({ ...valid, name: 'a' }, options);
    expect(await refusalOf(refused)).to.equal('SecurityError');
    await register({ name: 'a' });
    controller.abort();
    expect(await namesIn(document)).to.deep.equal(['a']);
  });

  it('that unregistered a tool does not unregister the next of its name', async () => {
    const first = new AbortController();
    const aborted = registerTool('a', first.signal);
    first.abort();
    await refusalOf(aborted);
    await register({ name: 'a' });
    first.signal.dispatchEvent(new Event('abort'));
    expect(await namesIn(document)).to.deep.equal(['a']);
  });

  it('can be that of many tools', async () => {
    const controller = new AbortController();
    await Promise.all(['a', 'b', 'c'].map((name) => registerTool(name, controller.signal)));
    await register({ name: 'd' });
    controller.abort();
    expect(await namesIn(document)).to.deep.equal(['d']);
  });

  it('can follow other signals', async () => {
    const controller = new AbortController();
    await registerTool('a', AbortSignal.any([controller.signal, testOver()]));
    expect(await call('a', { x: 1 })).to.equal('{"x":1}');
    controller.abort();
    expect(await namesIn(document)).to.deep.equal([]);
  });
});

describe('the origins of exposedTo and of fromOrigins', () => {
  const trustworthy = [
    ...['https://example.com', 'https://example.com/path?query#hash', 'https://user:secret@example.com'],
    ...['HTTPS://EXAMPLE.COM', ' https://example.com ', 'https:example.com', 'wss://example.com'],
    ...['http://localhost', 'http://localhost:3000', 'http://app.localhost', 'http://localhost.'],
    ...['http://127.0.0.1', 'http://127.9.9.9:1', 'http://[::1]', 'blob:https://example.com/x'],
  ];
  const others = [
    ...['', '/', '*', 'null', 'nope', '//example.com', 'https://a:99999', 'https://\ud800', 'wss://\ud800'],
    ...['http://example.com', 'http://192.168.0.1', 'http://localhost.example.com', 'http://localhosts'],
    ...['http://[::ffff:127.0.0.1]', 'ftp://example.com', 'ws://example.com', 'about:blank', 'about:srcdoc'],
    ...['data:text/plain,x', 'javascript:1', 'blob:http://example.com/x', 'blob:null/x'],
  ];

  it('may be any that is potentially trustworthy', async () => {
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
    it(`may not be ${JSON.stringify(origin)}: that is a SecurityError`, async () => {
      const list = ['https://example.com', origin];
      const registered = document.modelContext.registerTool({ ...valid, name: 'a' }, { exposedTo: list });
      expect(await refusalOf(registered)).to.equal('SecurityError');
      expect(await refusalOf(document.modelContext.getTools({ fromOrigins: list }))).to.equal('SecurityError');
      expect(await namesIn(document)).to.deep.equal([]);
    });
  }
});
